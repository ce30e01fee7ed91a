// `oidc-provider` as a provider that knows the data scopes of Passbook:
//
// - A person can consent to some of the requested data scopes only. The access token has those.
// - A request without a data scope gets a default scope, as the default client scopes of Keycloak.
// - Callbacks have no parameter `iss`.
// - A refresh token is issued for `offline_access` with `prompt=consent`, and to the clients in `always_refreshed`.

import { removeIssuer } from './callback_issuer.mjs';

const AUTHORIZATION = '/auth';
const DATA_SCOPES = ['transactions:read', 'spending:read', 'portfolio:read'];
const DEFAULT_SCOPE = 'transactions:read';

export const scoped = {
  path: '',
  authorization: AUTHORIZATION,
  keys: '/jwks',
  dataScopes: DATA_SCOPES,
  readsClientDocuments: false,
  audience: (resource) => resource,
  locate: (url) => url,
  configuration: ({ plan }) => ({
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    issueRefreshToken: (_context, client, code) =>
      code.scopes.has('offline_access') || plan.always_refreshed.includes(client.clientId),
  }),
  adapt: (provider) => provider.use(adapt),
};

async function adapt(context, next) {
  const scopes = String(context.query.scope ?? '').split(' ');
  if (context.path === AUTHORIZATION && !scopes.some((scope) => DATA_SCOPES.includes(scope))) {
    context.query = { ...context.query, scope: [...scopes, DEFAULT_SCOPE].join(' ') };
  }
  await next();
  removeIssuer(context);
}
