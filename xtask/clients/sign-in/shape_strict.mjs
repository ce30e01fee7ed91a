// `oidc-provider` as it is. It names itself in every callback (RFC 9207), says so in its metadata, ignores scopes it
// does not know, gives a refresh token only for `offline_access` with `prompt=consent`, and puts the resource that was
// asked for into `aud` (RFC 8707) of tokens of the type `at+jwt` (RFC 9068).

export const strict = {
  path: '',
  authorization: '/auth',
  audience: (resource) => resource,
  locate: (url) => url,
  configuration: () => ({ scopes: ['openid', 'email', 'profile', 'offline_access'] }),
  adapt: () => {},
};
