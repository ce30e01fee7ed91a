// Options of Auth.js for a dashboard.

/** `base` is the base address of Passbook, `issuer` the identity provider, `clientId` the registered client. */
export function authOptions({ base, issuer, clientId, parameters = { scope: 'openid email profile' } }) {
  const passbook = {
    id: 'passbook',
    name: 'Passbook',
    type: 'oidc',
    issuer,
    authorization: { url: `${base}/oauth/authorize`, params: parameters },
    clientId,
    client: { token_endpoint_auth_method: 'none' },
    checks: ['pkce', 'state', 'nonce'],
  };

  /** Stores the tokens in the encrypted session cookie. Refreshes the access token after its expiry. */
  async function jwt({ token, account }) {
    if (account) {
      const { access_token, refresh_token, expires_at } = account;
      return { ...token, access_token, refresh_token, expires_at };
    }
    if (!token.refresh_token || Date.now() < token.expires_at * 1000) return token;
    const provider = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    const { refresh_token } = token;
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token });
    const response = await fetch(provider.token_endpoint, { method: 'POST', body });
    const tokens = await response.json();
    if (!response.ok) throw new Error(`the provider rejected the refresh token: ${tokens.error}`);
    return {
      ...token,
      access_token: tokens.access_token,
      refresh_token: tokens.refresh_token ?? refresh_token,
      expires_at: Math.floor(Date.now() / 1000) + tokens.expires_in,
    };
  }

  return { providers: [passbook], session: { strategy: 'jwt' }, callbacks: { jwt } };
}
