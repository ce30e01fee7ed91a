// What a client of the Model Context Protocol does: it signs in by itself, and asks the tool server once it is connected.

async function askTools(journey, client) {
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
function memory(journey, metadata) {
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
function clientMetadata(journey) {
  return {
    client_name: 'sign-in',
    redirect_uris: [journey.redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/**
 * The whole way with an SDK of either version: refused, consent, tools, REST, and a refresh where there is one. `sdk` has
 * what a host imports of it, `answer` makes what its `finishAuth` takes out of the parameters that the person came back with.
 */
export async function signIn(journey, { auth, Client, StreamableHTTPClientTransport, UnauthorizedError }, answer) {
  const authProvider = memory(journey, clientMetadata(journey));
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(journey.mcp), { authProvider, fetch: journey.fetch });
    const client = new Client({ name: 'sign-in', version: '1.0.0' });
    return [transport, client, await client.connect(transport).catch((error) => error)];
  };
  const [refused, , error] = await connect();
  if (!(error instanceof UnauthorizedError)) throw error ?? new Error('connected without a token');
  const back = await journey.consent(authProvider.kept.url);
  await refused.finishAuth(answer(back.searchParams));
  const [, client, problem] = await connect();
  if (problem) throw problem;
  await askTools(journey, client);
  await client.close();
  const first = authProvider.kept.tokens;
  await journey.askRest(first.access_token);
  if (first.refresh_token) {
    const outcome = await auth(authProvider, { serverUrl: journey.mcp, fetchFn: journey.fetch });
    if (outcome !== 'AUTHORIZED') throw new Error(`the refresh ended in ${outcome}`);
    await journey.askRefreshed(first.access_token, authProvider.kept.tokens.access_token);
  }
}
