// Signs in with `openid-client`, configured with the issuer that `authorization_servers` names.

import { run } from './journey.mjs';
import { journeyFrom } from './openid_client.mjs';

await run('openid-client', async (journey) => {
  await journeyFrom(journey, await journey.authorizationServer());
});
