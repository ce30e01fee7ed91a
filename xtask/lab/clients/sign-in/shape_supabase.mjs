// `oidc-provider` with the behaviour of Supabase Auth as an OAuth 2.1 server:
//
// - The issuer has a path.
// - The list of scopes is closed and has no `offline_access`. A request for another scope is rejected.
// - Callbacks have no parameter `iss`.
// - A refresh token is always issued.
// - The type of an access token is `JWT`, and its audience is a role, whatever resource the client requested.
// - It does not read client metadata documents.
// - The route of the social sign-in rejects every provider.

import { randomUUID } from 'node:crypto';

import { removeIssuer } from './callback_issuer.mjs';

const PATH = '/auth/v1';
const SCOPES = ['openid', 'email', 'profile', 'phone'];
const sessions = new Map();

export const supabase = {
  path: PATH,
  authorization: '/oauth/authorize',
  keys: '/.well-known/jwks.json',
  readsClientDocuments: false,
  audience: () => 'authenticated',
  locate,
  configuration: ({ people }) => ({
    scopes: SCOPES,
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
      jwks: '/.well-known/jwks.json',
    },
    issueRefreshToken: () => true,
    extraTokenClaims: (_context, token) => ({
      email: people.get(token.accountId).email,
      role: 'authenticated',
      aal: 'aal1',
      is_anonymous: false,
      session_id: sessionId(token.sessionUid),
    }),
    formats: { customizers: { jwt: (_context, _token, jwt) => Object.assign(jwt, { header: { typ: 'JWT' } }) } },
  }),
  adapt: (provider) => provider.use(adapt),
};

/** Maps the path-inserted address of a metadata document (RFC 8414 section 3.1) to the appended one. */
function locate(url) {
  const inserted = /^(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))\/auth\/v1$/.exec(url);
  return inserted ? `${PATH}${inserted[1]}` : url;
}

async function adapt(context, next) {
  if (context.path === '/authorize') {
    context.status = 400;
    const message = 'Unsupported provider: Provider could not be found';
    context.body = { code: 400, error_code: 'validation_failed', msg: message };
    return;
  }
  const unknown = context.path === '/oauth/authorize' && foreignScope(context.query.scope);
  if (unknown) {
    const back = new URL(context.query.redirect_uri);
    back.searchParams.set('error', 'invalid_request');
    back.searchParams.set('error_description', `unsupported scope: ${unknown}`);
    if (context.query.state) back.searchParams.set('state', context.query.state);
    context.redirect(back.href);
    return;
  }
  await next();
  if (context.path.startsWith('/.well-known/') && context.body?.issuer) {
    delete context.body.registration_endpoint;
  }
  removeIssuer(context);
}

function foreignScope(scope) {
  return (scope ?? '').split(' ').find((one) => one && !SCOPES.includes(one));
}

/** Returns the session identifier, as in Supabase, of a session of the provider. */
function sessionId(uid) {
  if (!sessions.has(uid)) sessions.set(uid, randomUUID());
  return sessions.get(uid);
}
