// Calls a tool whose scope the access token lacks, with both TypeScript SDKs of the Model Context Protocol: the SDK sends
// the user to the provider once more, and the tool call then succeeds.
//
//   node step_up.mjs PLAN
//
// PLAN is a JSON file as in journey.mjs; each case also has "sdk" (1 or 2). Prints a JSON object per case:
// {"sdk", "before", "redirects", "after", "kept", "error"}. `before` and `after` are the outcomes of the tool call that
// needs a further scope, `kept` is the outcome of a call that already worked before, and `redirects` is the number of
// redirects to the provider after the sign-in.

import { readFileSync } from 'node:fs';

import * as sdk2 from '@modelcontextprotocol/client';
import * as auth1 from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { Journey } from './journey.mjs';
import { connect, memory } from './mcp_tools.mjs';

const SDKS = {
  1: [{ ...auth1, Client, StreamableHTTPClientTransport }, (parameters) => parameters.get('code')],
  2: [sdk2, (parameters) => parameters],
};

for (const one of JSON.parse(readFileSync(process.argv[2], 'utf8')).cases) {
  const outcome = await stepUp(new Journey(one), ...SDKS[one.sdk]).catch((error) => ({ error: text(error) }));
  console.log(JSON.stringify({ sdk: one.sdk, ...outcome }));
}

async function stepUp(journey, sdk, finishArgument) {
  const authProvider = memory(journey);
  let redirects = -1;
  authProvider.redirectToAuthorization = (url) => {
    authProvider.stored.url = url;
    redirects += 1;
  };
  const consent = async (transport) => {
    const back = await journey.consent(authProvider.stored.url);
    await transport.finishAuth(finishArgument(back.searchParams));
  };
  const [rejected] = await connect(journey, authProvider, sdk);
  await consent(rejected);

  const [transport, client, problem] = await connect(journey, authProvider, sdk);
  if (problem) throw problem;
  const held = () => call(client, sdk, 'search_transactions');
  const further = () => call(client, sdk, 'get_top_merchants', { timeRange: 'all' });
  await held();
  const before = await further();
  if (before === 'redirect') await consent(transport);
  const outcome = { before, after: await further(), kept: await held(), redirects };
  await client.close();
  return outcome;
}

/** Calls a tool. Returns `rows`, `error result`, `redirect`, or the message of an error. */
async function call(client, sdk, name, parameters = {}) {
  try {
    const result = await client.callTool({ name, arguments: parameters });
    return result.isError ? 'error result' : 'rows';
  } catch (error) {
    return error instanceof sdk.UnauthorizedError ? 'redirect' : text(error);
  }
}

function text(error) {
  return `${error.name}: ${error.message}`.slice(0, 200);
}
