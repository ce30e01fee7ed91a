// `openid-client` that is given the issuer, which is what `authorization_servers` names.

import { run } from './journey.mjs';
import { journeyFrom } from './openid_client.mjs';

await run('openid-client-issuer', 'openid-client', async (journey) => {
  await journeyFrom(journey, await journey.authorizationServer());
});
