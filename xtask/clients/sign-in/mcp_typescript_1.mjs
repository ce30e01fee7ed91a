// The TypeScript SDK of the Model Context Protocol, version 1: the transport is refused, and signs in by itself.

import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { run } from './journey.mjs';
import { askTools, clientMetadata, memory } from './mcp_tools.mjs';

await run('mcp-typescript-1', '@modelcontextprotocol/sdk', async (journey) => {
  const authProvider = memory(journey, clientMetadata(journey));
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(journey.mcp), { authProvider, fetch: journey.fetch });
    const client = new Client({ name: 'sign-in', version: '1.0.0' });
    return [transport, client, await client.connect(transport).catch((error) => error)];
  };
  const [refused, , error] = await connect();
  if (!(error instanceof UnauthorizedError)) throw error ?? new Error('connected without a token');
  const back = await journey.consent(authProvider.kept.url);
  await refused.finishAuth(back.searchParams.get('code'));
  const [, client, problem] = await connect();
  if (problem) throw problem;
  await askTools(journey, client);
  await client.close();
  const first = authProvider.kept.tokens;
  await journey.askRest(first.access_token);
  if (first.refresh_token) {
    const outcome = await auth(authProvider, { serverUrl: journey.mcp, fetchFn: journey.fetch });
    if (outcome !== 'AUTHORIZED') throw new Error(`the refresh ended in ${outcome}`);
    await journey.askRefreshed(first.access_token, authProvider.kept.tokens.access_token);
  }
});
