// Signs in with version 2 of the TypeScript SDK of the Model Context Protocol.

import { auth, Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

import { run } from './journey.mjs';
import { signIn } from './mcp_tools.mjs';

const sdk = { auth, Client, StreamableHTTPClientTransport, UnauthorizedError };
await run('@modelcontextprotocol/client', (journey) =>
  signIn(journey, sdk, (parameters) => parameters));
