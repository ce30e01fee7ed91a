// Signs in with Auth.js, configured as docs/oauth.md shows. The requests of the browser to the dashboard are
// passed to Auth.js directly.

import { Auth, customFetch } from '@auth/core';
import { getToken } from '@auth/core/jwt';

import { authOptions } from './auth_js_options.mjs';
import { cookieHeader, storeCookie } from './browser.mjs';
import { run } from './journey.mjs';

const SECRET = 'a secret of the tests';
/** Two hours in milliseconds: longer than the lifetime of an access token. */
const LATER = 2 * 3600 * 1000;

/** A dashboard with Auth.js, and the cookies of the browser. */
class Dashboard {
  jar = new Map();

  constructor(journey) {
    const { base, issuer, client_id: clientId } = journey;
    const parameters = journey.prompt && { scope: journey.scope, prompt: journey.prompt };
    this.address = journey.redirectUri.replace(/\/callback\/passbook$/, '');
    this.options = {
      ...authOptions({ base, issuer, clientId, parameters }),
      basePath: new URL(this.address).pathname,
      secret: SECRET,
      trustHost: true,
      // Auth.js answers with a page after an error. The log has the reason.
      logger: { error: (error) => { this.error ??= error; }, warn: () => {}, debug: () => {} },
    };
    this.options.providers[0][customFetch] = journey.fetch;
  }

  /** Sends a request of the browser to Auth.js: a POST request if there is a body. */
  async request(path, body) {
    const init = { method: body ? 'POST' : 'GET', headers: { cookie: cookieHeader(this.jar) }, body };
    const response = await Auth(new Request(this.address + path, init), this.options);
    response.headers.getSetCookie().forEach((line) => storeCookie(this.jar, line));
    if (this.error) throw this.error.cause?.err ?? this.error;
    return response;
  }

  /** Returns the content of the session cookie, as the server of the dashboard reads it. */
  async tokens() {
    const headers = { cookie: cookieHeader(this.jar) };
    return getToken({ req: new Request(this.address, { headers }), secret: SECRET, secureCookie: false });
  }
}

await run('@auth/core', async (journey) => {
  const dashboard = new Dashboard(journey);
  const { csrfToken } = await (await dashboard.request('/csrf')).json();
  const started = await dashboard.request('/signin/passbook', new URLSearchParams({ csrfToken }));
  const back = await journey.consent(started.headers.get('location'));
  await dashboard.request(`/callback/passbook${back.search}`);
  const tokens = await dashboard.tokens();
  await journey.checkRest(tokens.access_token);
  if (tokens.refresh_token) {
    const now = Date.now;
    Date.now = () => now() + LATER;
    await dashboard.request('/session').finally(() => { Date.now = now; });
    await journey.checkRefreshed(tokens.access_token, (await dashboard.tokens()).access_token);
  }
});
