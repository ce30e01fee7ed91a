// Signs in with version 1 of the TypeScript SDK of the Model Context Protocol.

import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { run } from './journey.mjs';
import { signIn } from './mcp_tools.mjs';

const sdk = { auth, Client, StreamableHTTPClientTransport, UnauthorizedError };
await run('@modelcontextprotocol/sdk', (journey) =>
  signIn(journey, sdk, (parameters) => parameters.get('code')));
