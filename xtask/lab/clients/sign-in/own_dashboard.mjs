// Signs in to the dashboard of the server itself, as a browser does, and reads data with the session.
//
//   node own_dashboard.mjs PLAN        PLAN is a JSON file: {"cases": [{"setting", "base", "person"}]}
//
// Prints a JSON object per case: {"setting", "signed_in", "person", "replayed", "signed_out"}. `signed_in` and `replayed` are
// the addresses to which the callback redirects, the first time and the second time. `person` and `signed_out` are the
// statuses of a data request with the session, and after the sign-out.

import { readFileSync } from 'node:fs';

import { cookieHeader, storeCookie, visit } from './browser.mjs';

for (const one of JSON.parse(readFileSync(process.argv[2], 'utf8')).cases) {
  console.log(JSON.stringify(await signIn(one)));
}

async function signIn({ setting, base, person }) {
  const { origin } = new URL(base);
  const jar = new Map();
  const send = async (path, init = {}) => {
    const headers = { cookie: cookieHeader(jar), ...init.headers };
    const response = await fetch(new URL(path, origin), { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      if (/max-age=0/i.test(line)) jar.delete(line.slice(0, line.indexOf('=')));
      else storeCookie(jar, line);
    }
    return response;
  };
  const page = { 'x-passbook-page': '1', origin };
  const data = async () => (await send('/data/v1/me', { headers: page })).status;

  const begun = await send('/session/sign-in');
  const back = await visit(begun.headers.get('location'), `${origin}/session/callback`, person);
  const called = await send(back);
  const read = await data();
  const replayed = await send(back);
  await send('/session/sign-out', { method: 'POST', headers: page });
  return {
    setting,
    signed_in: called.headers.get('location'),
    person: read,
    replayed: replayed.headers.get('location'),
    signed_out: await data(),
  };
}
