// Both official TypeScript SDKs: connect, list, and call every tool with no, with rich and with refused arguments.
//
// Every result is held against the schema that the list shows, formats included, by a validator of our own beside the
// one inside the SDK. Address, token and the folder of the packages come by environment.

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
// What an SDK warns of is a finding too: a format it does not know, a schema it cannot compile.
for (const method of ["warn", "error"]) {
  console[method] = (...words) => problems.push(`said: ${words.join(" ")}`);
}

function validator(schema) {
  const ajv = addFormats(new Ajv({ strict: true, strictTypes: false, allErrors: true, validateFormats: true }));
  return ajv.compile(schema);
}

async function held(place, check) {
  try {
    await check();
  } catch (error) {
    problems.push(`${place}: ${error.message}`);
  }
}

function demand(holds, what) {
  if (!holds) throw new Error(what);
}

async function callEvery(name, client) {
  const { tools } = await client.listTools();
  demand(tools.length > 0, "the list is empty");
  let answers = 0;
  for (const tool of tools) {
    const call = (input) => client.callTool({ name: tool.name, arguments: input });
    await held(`${name}: ${tool.name}`, async () => {
      const given = calls[tool.name];
      demand(given, "calls.json has no arguments for this tool");
      const [takes, gives] = [validator(tool.inputSchema), validator(tool.outputSchema)];
      for (const input of [{}, given.rich]) {
        const asked = JSON.stringify(input);
        demand(takes(input), `${asked} does not fit the input schema: ${JSON.stringify(takes.errors)}`);
        const result = await call(input);
        demand(!result.isError, `${asked} was refused: ${JSON.stringify(result.content)}`);
        demand(gives(result.structuredContent), `${asked}: ${JSON.stringify(gives.errors)}`);
        const text = JSON.stringify(JSON.parse(result.content[0].text));
        demand(text === JSON.stringify(result.structuredContent), `${asked}: the text says something else`);
        answers += 1;
      }
      const refused = await call(given.refused);
      demand(refused.isError === true, `${JSON.stringify(given.refused)} was not refused`);
      demand(refused.structuredContent === undefined, "a refusal has structured content");
      demand(refused.content[0].text.includes(tool.name), "a refusal names its tool");
    });
  }
  return `${tools.length} tools, ${answers} answers valid`;
}

for (const [name, make, Transport, revision] of clients) {
  await held(name, async () => {
    const client = make();
    const headers = { Authorization: `Bearer ${token}` };
    const transport = new Transport(new URL(address), { requestInit: { headers } });
    await client.connect(transport);
    const agreed = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion;
    demand(agreed === revision, `agreed on ${agreed}, not on ${revision}`);
    demand(client.getServerVersion()?.name === "passbook", "the server does not say its name");
    demand(client.getInstructions()?.length > 0, "the server gives no instructions");
    const report = await callEvery(name, client);
    await client.close();
    console.log(`${name} at ${agreed}: ${report}`);
  });
}
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
