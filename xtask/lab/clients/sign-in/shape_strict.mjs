// The default behaviour of `oidc-provider`:
//
// - Every callback has the parameter `iss`, and the metadata announces it (RFC 9207).
// - Unknown scopes are ignored.
// - A refresh token is issued only for `offline_access` with `prompt=consent`.
// - It reads client metadata documents.
// - The `aud` of an access token is the requested resource (RFC 8707), and its type is `at+jwt` (RFC 9068).

export const strict = {
  path: '',
  authorization: '/auth',
  keys: '/jwks',
  readsClientDocuments: true,
  audience: (resource) => resource,
  locate: (url) => url,
  configuration: () => ({ scopes: ['openid', 'email', 'profile', 'offline_access'] }),
  adapt: () => {},
};
