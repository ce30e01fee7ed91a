// Requests data scopes and consents to some of them, then requests routes with the access token, and again with a
// refreshed one.
//
//   node narrowed.mjs PLAN
//
// PLAN is a JSON file as in journey.mjs; each case also has "consent_to", the data scopes of the consent. Prints a JSON
// object per case: {"consent_to", "token", "routes", "refreshed"}. `token` has the data scopes of the access token,
// `routes` has the status of each route, and `refreshed` has the same with the refreshed token.

import { readFileSync } from 'node:fs';

import * as openid from 'openid-client';

import { Journey } from './journey.mjs';
import { signIn } from './openid_client.mjs';

const ROUTES = ['/v1/me', '/v1/transactions', '/v1/spending/summary', '/v1/portfolio'];

for (const one of JSON.parse(readFileSync(process.argv[2], 'utf8')).cases) {
  const journey = new Journey(one);
  const document = `${await journey.authorizationServer()}/.well-known/openid-configuration`;
  const { configuration, tokens } = await signIn(journey, document);
  const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token);
  console.log(JSON.stringify({
    consent_to: one.consent_to,
    token: dataScopes(tokens.access_token),
    routes: await statuses(tokens.access_token),
    refreshed: await statuses(refreshed.access_token),
  }));

  async function statuses(token) {
    const headers = { authorization: `Bearer ${token}` };
    const responses = await Promise.all(ROUTES.map((route) => fetch(`${journey.base}${route}`, { headers })));
    return responses.map((response) => response.status);
  }
}

/** Returns the data scopes in the claim `scope` of an access token. */
function dataScopes(token) {
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
  return claims.scope.split(' ').filter((scope) => scope.endsWith(':read')).sort();
}
