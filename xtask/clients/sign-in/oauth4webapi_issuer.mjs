// `oauth4webapi`, from the address of the resource on: every document must name the address it was asked for at.

import * as oauth from 'oauth4webapi';

import { run } from './journey.mjs';

await run('oauth4webapi-issuer', 'oauth4webapi', async (journey) => {
  const options = { [oauth.customFetch]: journey.fetch, [oauth.allowInsecureRequests]: true };
  const resource = new URL(journey.base);
  const described = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, options));
  const issuer = new URL(described.authorization_servers[0]);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));

  const client = { client_id: journey.client_id };
  const [verifier, state, nonce] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: journey.redirectUri,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: journey.scope,
    state,
    nonce,
  });
  const back = await journey.consent(url);
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const answer = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, journey.redirectUri, verifier, options);
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, { expectedNonce: nonce, requireIdToken: true });
  await journey.askRest(tokens.access_token);
  if (tokens.refresh_token) {
    const again = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token, options);
    const refreshed = await oauth.processRefreshTokenResponse(server, client, again);
    await journey.askRefreshed(tokens.access_token, refreshed.access_token);
  }
});
