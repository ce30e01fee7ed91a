// An identity provider for the tests: `oidc-provider` on a free loopback port, in one of the shapes `shape_*.mjs`.
//
//   node provider.mjs PLAN SEEN
//
// PLAN is a JSON file: {"shape", "people": [{"sub", "email"}], "clients": [{"id", "redirect_uris"}], "documents"}, with
// `documents` like `clients` for the clients that the provider reads from their client identifier, which is a URL. The
// program prints `issuer URL` when the provider accepts requests, and ends when its standard input ends. The line
// `rotate` of standard input replaces the signing key by another one with the same key identifier, and prints `rotated`.
// The program appends every authorization request and every request for the keys to the file SEEN, one JSON object per
// line.
//
// The request header `sign-in-as` names the person who logs in and consents. The header `consent-to` names the data
// scopes that the person consents to; without it the person consents to all. The header `token-seconds` is the lifetime of
// the access token; without it an access token lives for an hour.

import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { once } from 'node:events';

import Provider from 'oidc-provider';

import { documentFetch } from './client_documents.mjs';
import { providerOptions } from './provider_options.mjs';
import { scoped } from './shape_scoped.mjs';
import { strict } from './shape_strict.mjs';
import { supabase } from './shape_supabase.mjs';

const [planFile, seenFile] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, 'utf8'));
const shape = { scoped, strict, supabase }[plan.shape];
const people = new Map(plan.people.map((person) => [person.sub, person]));

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}${shape.path}`;

const options = providerOptions(plan, shape, people, await documentFetch(plan.documents));
let { provider, handle } = start();

server.on('request', async (request, response) => {
  // Removes the path of the issuer and passes it as `baseUrl`, as a web framework does for a mounted application.
  const url = shape.locate(request.url);
  if (!url.startsWith(shape.path)) return respond(response, 404, 'not found');
  request.url = url.slice(shape.path.length) || '/';
  request.baseUrl = shape.path;
  if (request.url.startsWith('/interaction/')) return interact(request, response);
  return handle(request, response);
});

console.log(`issuer ${issuer}`);
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== 'rotate') throw new Error(`unknown command: ${line}`);
  ({ provider, handle } = start());
  console.log('rotated');
}
process.exit(0);

/** Creates a provider with a new key. All providers of a process have the same store of sessions and tokens. */
function start() {
  const made = new Provider(issuer, options());
  made.use(record);
  made.on('server_error', (_context, error) => console.error(error));
  shape.adapt(made);
  return { provider: made, handle: made.callback() };
}

/** Appends each request to the shape's authorization route or key route to the file. */
async function record(context, next) {
  if (context.path === shape.authorization) {
    const { client_id, redirect_uri, scope, prompt, resource } = context.query;
    write({ client_id, redirect_uri, scope, prompt, resource });
  }
  if (context.path === shape.keys) write({ keys_of: issuer, at_ms: Date.now() });
  await next();
}

function write(seen) {
  appendFileSync(seenFile, `${JSON.stringify(seen)}\n`);
}

/** Logs in the person that the header names, and consents. */
async function interact(request, response) {
  const sub = request.headers['sign-in-as'];
  if (!people.has(sub)) return respond(response, 400, 'the header sign-in-as must name a person of the plan');
  // The provider always asks for the consent to a native client. The function `grant` decides about the scopes.
  await provider.interactionFinished(request, response, { login: { accountId: sub }, consent: {} });
}

function respond(response, status, message) {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${message}\n`);
}
