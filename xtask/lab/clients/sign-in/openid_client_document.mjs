// Signs in with `openid-client`, configured with the address of the OpenID document, as the documentation recommends
// to dashboards.

import { run } from './journey.mjs';
import { journeyFrom } from './openid_client.mjs';

await run('openid-client', async (journey) => {
  await journeyFrom(journey, `${await journey.authorizationServer()}/.well-known/openid-configuration`);
});
