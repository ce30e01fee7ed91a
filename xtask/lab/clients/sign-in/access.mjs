// Signs in once, then sends a request to REST and to the tool server with the same token over the same connections:
// once at the start, and once for each line of standard input. The line `refresh` first exchanges the refresh token.
//
//   node access.mjs PLAN        PLAN is a JSON file with one case, as in journey.mjs
//
// Prints a JSON object per line: {"rest": STATUS, "rest_code": CODE, "tools": STATUS, "tools_code": CODE}.

import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';

import * as openid from 'openid-client';

import { Journey } from './journey.mjs';
import { signIn } from './openid_client.mjs';

const journey = new Journey(JSON.parse(readFileSync(process.argv[2], 'utf8')).cases[0]);
const document = `${await journey.authorizationServer()}/.well-known/openid-configuration`;
const { configuration, tokens: first } = await signIn(journey, document);
let tokens = first;

console.log(JSON.stringify(await requestBoth()));
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'refresh') tokens = await openid.refreshTokenGrant(configuration, tokens.refresh_token);
  console.log(JSON.stringify(await requestBoth()));
}

async function requestBoth() {
  const authorization = `Bearer ${tokens.access_token}`;
  const rest = await fetch(`${journey.base}/v1/me`, { headers: { authorization } });
  const tools = await fetch(journey.mcp, {
    method: 'POST',
    headers: {
      authorization,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'access', method: 'tools/list' }),
  });
  return { rest: rest.status, rest_code: await code(rest), tools: tools.status, tools_code: await code(tools) };
}

async function code(response) {
  return (await response.json()).error?.code ?? null;
}
