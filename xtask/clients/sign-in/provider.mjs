// An identity provider for the tests: `oidc-provider` on a free loopback port, in one of two configurations.
//
//   node provider.mjs PLAN SEEN
//
// PLAN is a JSON file: {"shape", "people": [{"sub", "email"}], "clients": [{"id", "redirect_uris"}]}, with the shape
// `strict` or `supabase`. The program prints `issuer URL` when the provider accepts requests, and ends when its
// standard input ends. It appends every authorization request to the file SEEN, one JSON object per line.
//
// The request header `sign-in-as` names the person who logs in and consents.

import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';

import Provider from 'oidc-provider';

import { strict } from './shape_strict.mjs';
import { supabase } from './shape_supabase.mjs';

/** Lifetimes of tokens, codes and sessions, in seconds. */
const SECONDS = {
  AccessToken: 3600,
  AuthorizationCode: 60,
  Grant: 86400,
  IdToken: 3600,
  Interaction: 600,
  RefreshToken: 86400,
  Session: 86400,
};

const [planFile, seenFile] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, 'utf8'));
const shape = { strict, supabase }[plan.shape];
const people = new Map(plan.people.map((person) => [person.sub, person]));

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
const issuer = `${origin}${shape.path}`;

const provider = new Provider(issuer, {
  // These settings are equal in both shapes.
  jwks: { keys: [signingKey()] },
  clients: plan.clients.map(client),
  cookies: { keys: ['a key of the tests'] },
  pkce: { required: () => true },
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_context, sub) => people.has(sub) && account(people.get(sub)),
  interactions: { url: (_context, interaction) => `${shape.path}/interaction/${interaction.uid}` },
  ttl: SECONDS,
  loadExistingGrant: grant,
  ...shape.configuration({ people }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:passbook',
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'openid email profile phone',
        audience: shape.audience(resource),
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
});
provider.use(record);
provider.on('server_error', (_context, error) => console.error(error));
shape.adapt(provider);
const handle = provider.callback();

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
process.stdin.resume().on('end', () => process.exit(0));

/** Appends each request to the shape's authorization route to the file. */
async function record(context, next) {
  if (context.path === shape.authorization) {
    const { redirect_uri, scope, prompt, resource } = context.query;
    appendFileSync(seenFile, `${JSON.stringify({ redirect_uri, scope, prompt, resource })}\n`);
  }
  await next();
}

/** Logs in the person that the header names, and consents. */
async function interact(request, response) {
  const sub = request.headers['sign-in-as'];
  if (!people.has(sub)) return respond(response, 400, 'the header sign-in-as must name a person of the plan');
  // The provider always asks for the consent to a native client. An empty object consents to everything.
  await provider.interactionFinished(request, response, { login: { accountId: sub }, consent: {} });
}

/** Returns a grant for every scope and resource of the request. */
async function grant(context) {
  const { client, session, params } = context.oidc;
  const made = new context.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  made.addOIDCScope('openid email profile phone offline_access');
  for (const resource of ['urn:passbook', params.resource].flat()) {
    if (resource !== undefined) made.addResourceScope(resource, 'openid email profile phone');
  }
  await made.save();
  return made;
}

function account(person) {
  const claims = { sub: person.sub, email: person.email, email_verified: true, name: person.email };
  return { accountId: person.sub, claims: () => claims };
}

/** Returns a public client. `oidc-provider` accepts loopback redirects only from native applications. */
function client({ id, redirect_uris }) {
  return {
    client_id: id,
    redirect_uris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    id_token_signed_response_alg: 'ES256',
  };
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'of-this-run' };
}

function respond(response, status, message) {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${message}\n`);
}
