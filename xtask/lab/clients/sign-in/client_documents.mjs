// Client metadata documents: a client identifier is a URL, and the provider reads the metadata of the client there
// (draft-ietf-oauth-client-id-metadata-document).

import { createServer } from 'node:http';
import { once } from 'node:events';

/** Returns the metadata of a public client. `oidc-provider` accepts loopback redirects only from native applications. */
export function clientMetadata(client_id, redirect_uris) {
  return {
    client_id,
    redirect_uris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    id_token_signed_response_alg: 'ES256',
  };
}

/**
 * Serves the documents over HTTP on a loopback port. Returns the function with which the provider fetches a document.
 *
 * The URL of a document is `https` with a host name. The returned function keeps its path and replaces its origin by the
 * loopback address, because the tests have no certificate for the name.
 */
export async function documentFetch(documents) {
  const server = createServer((request, response) => {
    const found = documents.find((one) => new URL(one.id).pathname === request.url);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ? clientMetadata(found.id, found.redirect_uris) : {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  return (url, { dispatcher: _rejectsLoopback, ...options }) => fetch(new URL(new URL(url).pathname, origin), options);
}
