// The TypeScript SDK of the Model Context Protocol, version 2: the transport is refused, and signs in by itself.

import { auth, Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

import { run } from './journey.mjs';
import { signIn } from './mcp_tools.mjs';

const sdk = { auth, Client, StreamableHTTPClientTransport, UnauthorizedError };
await run('mcp-typescript-2', '@modelcontextprotocol/client', (journey) =>
  signIn(journey, sdk, (parameters) => parameters));
