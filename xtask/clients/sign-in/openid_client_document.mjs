// `openid-client` that is given the address of the OpenID document, as a dashboard is told to do.

import { run } from './journey.mjs';
import { journeyFrom } from './openid_client.mjs';

await run('openid-client-document', 'openid-client', async (journey) => {
  await journeyFrom(journey, `${await journey.authorizationServer()}/.well-known/openid-configuration`);
});
