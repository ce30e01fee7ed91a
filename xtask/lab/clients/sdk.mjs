// Calls every tool with both official TypeScript SDKs: without arguments, with many arguments, and with invalid ones.
//
// A second validator, besides the one in the SDK, compares every result with the tool's output schema, formats
// included. The environment variables PASSBOOK_MCP, PASSBOOK_TOKEN and PACKAGES name the tool server, the token, and
// the folder from which Node finds the npm packages.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { PASSBOOK_MCP: address, PASSBOOK_TOKEN: token, PACKAGES: packages } = process.env;
const require = createRequire(`${packages}/package.json`);
const load = async (name) => await import(pathToFileURL(require.resolve(name)));

const { Client: ClientOne } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport: TransportOne } = await load(
  "@modelcontextprotocol/sdk/client/streamableHttp.js",
);
const { Client: ClientTwo, StreamableHTTPClientTransport: TransportTwo } = await load("@modelcontextprotocol/client");
const { default: Ajv } = await load("ajv/dist/2020.js");
const { default: addFormats } = await load("ajv-formats");

const self = { name: "passbook-clients", version: "1.0.0" };
const calls = JSON.parse(readFileSync(new URL("calls.json", import.meta.url)));
const clients = [
  ["SDK 1", () => new ClientOne(self), TransportOne, "2025-11-25"],
  ["SDK 2, legacy", () => new ClientTwo(self), TransportTwo, "2025-11-25"],
  ["SDK 2, auto", () => new ClientTwo(self, { versionNegotiation: { mode: "auto" } }), TransportTwo, "2026-07-28"],
  [
    "SDK 2, modern",
    () => new ClientTwo(self, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
    TransportTwo,
    "2026-07-28",
  ],
];

const problems = [];
// A warning of an SDK is a problem too: an unknown format, or a schema that it cannot compile.
for (const method of ["warn", "error"]) {
  console[method] = (...words) => problems.push(`warning: ${words.join(" ")}`);
}

function validator(schema) {
  const ajv = addFormats(new Ajv({ strict: true, strictTypes: false, allErrors: true, validateFormats: true }));
  return ajv.compile(schema);
}

async function collectProblem(place, check) {
  try {
    await check();
  } catch (error) {
    problems.push(`${place}: ${error.message}`);
  }
}

function assert(condition, message) {
  if (!condition) throw new Error(message);
}

async function callEvery(name, client) {
  const { tools } = await client.listTools();
  assert(tools.length > 0, "tools/list is empty");
  let results = 0;
  for (const tool of tools) {
    const call = (input) => client.callTool({ name: tool.name, arguments: input });
    await collectProblem(`${name}: ${tool.name}`, async () => {
      const examples = calls[tool.name];
      assert(examples, "calls.json has no arguments for this tool");
      const [acceptsInput, acceptsOutput] = [validator(tool.inputSchema), validator(tool.outputSchema)];
      for (const input of [{}, examples.rich]) {
        const text = JSON.stringify(input);
        assert(acceptsInput(input), `${text} is not valid by the input schema: ${JSON.stringify(acceptsInput.errors)}`);
        const result = await call(input);
        assert(!result.isError, `${text} was rejected: ${JSON.stringify(result.content)}`);
        assert(acceptsOutput(result.structuredContent), `${text}: ${JSON.stringify(acceptsOutput.errors)}`);
        const content = JSON.stringify(JSON.parse(result.content[0].text));
        assert(content === JSON.stringify(result.structuredContent), `${text}: the text content differs from the structured content`);
        results += 1;
      }
      const rejected = await call(examples.refused);
      assert(rejected.isError === true, `${JSON.stringify(examples.refused)} was not rejected`);
      assert(rejected.structuredContent === undefined, "an error result has structured content");
      assert(rejected.content[0].text.includes(tool.name), "the text of an error result does not name the tool");
    });
  }
  return `${tools.length} tools, ${results} results valid`;
}

for (const [name, make, Transport, revision] of clients) {
  await collectProblem(name, async () => {
    const client = make();
    const headers = { Authorization: `Bearer ${token}` };
    const transport = new Transport(new URL(address), { requestInit: { headers } });
    await client.connect(transport);
    const agreed = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion;
    assert(agreed === revision, `the negotiated revision must be ${revision}; received ${agreed}`);
    assert(client.getServerVersion()?.name === "passbook", "the name of the server must be passbook");
    assert(client.getInstructions()?.length > 0, "the server has no instructions");
    const report = await callEvery(name, client);
    await client.close();
    console.log(`${name} at ${agreed}: ${report}`);
  });
}
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
