// Starts each program of a desktop assistant's configuration, and calls a tool over the program's standard input and
// output, as the assistant would. The first argument is the configuration as JSON. The environment variable PACKAGES
// names the folder from which Node finds the npm packages.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = process.env.PACKAGES;
const require = createRequire(`${packages}/package.json`);
const load = async (name) => await import(pathToFileURL(require.resolve(name)));
const find = (program) => {
  const files = require.resolve.paths(program).map((folder) => `${folder}/.bin/${program}`);
  return files.find((file) => existsSync(file)) ?? files[0];
};
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

for (const [name, { command, args, env }] of Object.entries(JSON.parse(process.argv[2]).mcpServers)) {
  if (command !== "npx") throw new Error(`the command of ${name} must be npx; received ${command}`);
  const [program, ...rest] = args;
  const client = new Client({ name: "passbook-clients", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [find(program), ...rest],
    env: { ...process.env, ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const result = await client.callTool({ name: "get_top_merchants", arguments: { limit: 2 } });
  if (result.isError || result.structuredContent.merchants.length !== 2) throw new Error(JSON.stringify(result));
  await client.close();
  console.log(`${name}: ${tools.length} tools through ${program}`);
}
