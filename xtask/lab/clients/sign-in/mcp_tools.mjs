// Signs in with a TypeScript SDK of the Model Context Protocol, for both versions: a 401 response makes the SDK sign
// in.

/** Checks the tool server: the list, a tool that the client may call, and a tool whose scope it does not have. */
async function checkTools(journey, client) {
  journey.step = 'tools';
  const { tools } = await client.listTools();
  if (!tools.some((tool) => tool.name === 'get_top_merchants')) throw new Error('tools/list has no get_top_merchants');
  const merchants = await client.callTool({ name: 'get_top_merchants', arguments: { timeRange: 'all' } });
  if (merchants.isError || !merchants.structuredContent?.merchants?.length) {
    throw new Error(`get_top_merchants: ${JSON.stringify(merchants).slice(0, 300)}`);
  }
  // A missing scope is an error result for the person. It must not start another sign-in.
  const portfolio = await client.callTool({ name: 'get_portfolio_snapshot', arguments: {} });
  if (!portfolio.isError) throw new Error('get_portfolio_snapshot must fail, because the client does not have its scope');
}

/** Returns the client metadata that a host passes to the SDK. */
function clientMetadata(journey) {
  return {
    client_name: 'sign-in',
    redirect_uris: [journey.redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/** Returns an `OAuthClientProvider` that stores everything in memory. */
export function memory(journey) {
  const metadata = clientMetadata(journey);
  const stored = { client: journey.client_id && { client_id: journey.client_id } };
  return {
    get redirectUrl() { return journey.redirectUri; },
    get clientMetadata() { return metadata; },
    clientMetadataUrl: journey.client_metadata_url,
    state: () => 'a state of this client',
    clientInformation: () => stored.client,
    saveClientInformation: (client) => { stored.client = client; },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => { stored.tokens = tokens; },
    redirectToAuthorization: (url) => { stored.url = url; },
    saveCodeVerifier: (verifier) => { stored.verifier = verifier; },
    codeVerifier: () => stored.verifier,
    saveDiscoveryState: (state) => { stored.discovery = state; },
    discoveryState: () => stored.discovery,
    stored,
  };
}

/** Connects to the tool server. Returns the transport, the client, and the error if the connection failed. */
export async function connect(journey, authProvider, { Client, StreamableHTTPClientTransport }) {
  const transport = new StreamableHTTPClientTransport(new URL(journey.mcp), { authProvider, fetch: journey.fetch });
  const client = new Client({ name: 'sign-in', version: '1.0.0' });
  return [transport, client, await client.connect(transport).catch((error) => error)];
}

/**
 * Runs a sign-in: the 401 response, consent, tools, REST, and a refresh if there is a refresh token. The second
 * parameter has the imports of the SDK. `finishArgument` converts the parameters of the redirect to the argument of
 * `finishAuth`.
 */
export async function signIn(journey, sdk, finishArgument) {
  const authProvider = memory(journey);
  const [rejected, , error] = await connect(journey, authProvider, sdk);
  if (!(error instanceof sdk.UnauthorizedError)) {
    // Without a registration endpoint the SDK fails before it sends a request.
    if (/dynamic client registration/.test(error?.message)) journey.step = 'registration';
    throw error ?? new Error('the server accepted a connection without a token');
  }
  const back = await journey.consent(authProvider.stored.url);
  await rejected.finishAuth(finishArgument(back.searchParams));
  const [, client, problem] = await connect(journey, authProvider, sdk);
  if (problem) throw problem;
  await checkTools(journey, client);
  await client.close();
  const first = authProvider.stored.tokens;
  await journey.checkRest(first.access_token);
  if (first.refresh_token) {
    const outcome = await sdk.auth(authProvider, { serverUrl: journey.mcp, fetchFn: journey.fetch });
    if (outcome !== 'AUTHORIZED') throw new Error(`the refresh must return AUTHORIZED; received ${outcome}`);
    await journey.checkRefreshed(first.access_token, authProvider.stored.tokens.access_token);
  }
}
