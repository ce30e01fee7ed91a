// Signs in with `openid-client`, for both ways of configuring the provider: by its issuer and by its document.

import * as openid from 'openid-client';

/** Signs in at a provider. `server` is the provider's issuer or the address of its OpenID document. */
export async function signIn(journey, server) {
  const configuration = await openid.discovery(new URL(server), journey.client_id, undefined, openid.None(), {
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: journey.fetch,
  });
  const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: journey.redirectUri,
    scope: journey.scope,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(journey.prompt && { prompt: journey.prompt }),
  });
  const back = await journey.consent(url);
  const tokens = await openid.authorizationCodeGrant(configuration, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  return { configuration, tokens };
}

/** Signs in, and checks REST and the refresh token. */
export async function journeyFrom(journey, server) {
  const { configuration, tokens } = await signIn(journey, server);
  await journey.checkRest(tokens.access_token);
  if (tokens.refresh_token) {
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token);
    await journey.checkRefreshed(tokens.access_token, refreshed.access_token);
  }
}
