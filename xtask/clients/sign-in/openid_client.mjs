// What `openid-client` does once it knows the provider, shared by its two ways of getting to know it.

import * as openid from 'openid-client';

/** Signs in at the provider that `server` names: its issuer, or the address of its document. */
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

/** The whole journey. */
export async function journeyFrom(journey, server) {
  const { configuration, tokens } = await signIn(journey, server);
  await journey.askRest(tokens.access_token);
  if (tokens.refresh_token) {
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token);
    await journey.askRefreshed(tokens.access_token, refreshed.access_token);
  }
}
