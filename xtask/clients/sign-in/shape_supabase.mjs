// `oidc-provider` made to behave as Supabase Auth does as an OAuth 2.1 server: an issuer with a path, a closed list of
// scopes that has no `offline_access` and ends a request that asks for another, no name in callbacks, a refresh token
// always, tokens of the type `JWT` whose audience is a role, whatever resource was asked for, and the route of its
// social sign-in, which knows no provider.

import { randomUUID } from 'node:crypto';

const PATH = '/auth/v1';
const SCOPES = ['openid', 'email', 'profile', 'phone'];
const sessions = new Map();

export const supabase = {
  path: PATH,
  authorization: '/oauth/authorize',
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

/** Both forms of the metadata's address: with the well-known part inserted (RFC 8414, section 3.1) and appended. */
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
    delete context.body.authorization_response_iss_parameter_supported;
    delete context.body.registration_endpoint;
  }
  const location = context.response.get('location');
  if (location && URL.canParse(location) && new URL(location).searchParams.has('iss')) {
    const back = new URL(location);
    back.searchParams.delete('iss');
    context.set('location', back.href);
  }
}

function foreignScope(scope) {
  return (scope ?? '').split(' ').find((one) => one && !SCOPES.includes(one));
}

/** A session identifier of Supabase for each of the provider's. */
function sessionId(uid) {
  if (!sessions.has(uid)) sessions.set(uid, randomUUID());
  return sessions.get(uid);
}
