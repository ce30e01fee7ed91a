// Signs in with `oauth4webapi` from the address of the resource. The library requires that each discovery document
// names the address from which it was fetched.

import * as oauth from 'oauth4webapi';

import { run } from './journey.mjs';

await run('oauth4webapi', async (journey) => {
  const options = { [oauth.customFetch]: journey.fetch, [oauth.allowInsecureRequests]: true };
  const resource = new URL(journey.base);
  const document = await oauth.resourceDiscoveryRequest(resource, options);
  const described = await oauth.processResourceDiscoveryResponse(resource, document);
  const issuer = new URL(described.authorization_servers[0]);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));

  const client = { client_id: journey.client_id };
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
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
    ...(journey.prompt && { prompt: journey.prompt }),
  });
  const back = await journey.consent(url);
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const authentication = [server, client, oauth.None()];
  const response = await oauth.authorizationCodeGrantRequest(...authentication, parameters, journey.redirectUri, verifier, options);
  const checks = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, checks);
  await journey.checkRest(tokens.access_token);
  if (tokens.refresh_token) {
    const again = await oauth.refreshTokenGrantRequest(...authentication, tokens.refresh_token, options);
    const refreshed = await oauth.processRefreshTokenResponse(server, client, again);
    await journey.checkRefreshed(tokens.access_token, refreshed.access_token);
  }
});
