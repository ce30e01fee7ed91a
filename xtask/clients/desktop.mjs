// What a desktop program does with a configuration: it starts each program that is named there, and speaks to it over
// its input and output. The configuration comes as the first argument, the folder of the packages by environment.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = process.env.PACKAGES;
const require = createRequire(`${packages}/package.json`);
const load = async (name) => await import(pathToFileURL(require.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

for (const [name, { command, args, env }] of Object.entries(JSON.parse(process.argv[2]).mcpServers)) {
  if (command !== "npx") throw new Error(`${name} starts ${command}`);
  const [program, ...rest] = args;
  const client = new Client({ name: "passbook-clients", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [`${packages}/node_modules/.bin/${program}`, ...rest],
    env: { ...process.env, ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: "get_top_merchants", arguments: { limit: 2 } });
  if (answer.isError || answer.structuredContent.merchants.length !== 2) throw new Error(JSON.stringify(answer));
  await client.close();
  console.log(`${name}: ${tools.length} tools through ${program}`);
}
