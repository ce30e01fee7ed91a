// What a client of the Model Context Protocol asks the tool server once it is connected.

export async function askTools(journey, client) {
  journey.step = 'tools';
  const { tools } = await client.listTools();
  if (!tools.some((tool) => tool.name === 'get_top_merchants')) throw new Error('tools/list has no get_top_merchants');
  const merchants = await client.callTool({ name: 'get_top_merchants', arguments: { timeRange: 'all' } });
  if (merchants.isError || !merchants.structuredContent?.merchants?.length) {
    throw new Error(`get_top_merchants: ${JSON.stringify(merchants).slice(0, 300)}`);
  }
  // A scope that the client was not given ends in a sentence for the person, never in another sign-in.
  const portfolio = await client.callTool({ name: 'get_portfolio_snapshot', arguments: {} });
  if (!portfolio.isError) throw new Error('get_portfolio_snapshot needs a scope that the client was not given');
}

/** What an `OAuthClientProvider` of either SDK keeps: all in memory. */
export function memory(journey, metadata) {
  const kept = { client: { client_id: journey.client_id } };
  return {
    get redirectUrl() { return journey.redirectUri; },
    get clientMetadata() { return metadata; },
    state: () => 'a state of this client',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => { kept.client = client; },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => { kept.tokens = tokens; },
    redirectToAuthorization: (url) => { kept.url = url; },
    saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (state) => { kept.discovery = state; },
    discoveryState: () => kept.discovery,
    kept,
  };
}

/** The metadata that a host gives its SDK. */
export function clientMetadata(journey) {
  return {
    client_name: 'sign-in',
    redirect_uris: [journey.redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
