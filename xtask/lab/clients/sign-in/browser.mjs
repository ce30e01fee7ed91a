// Simulates the browser of a person who signs in: follows redirects, stores cookies, and stops at the client's redirect
// URI.
//
//   node browser.mjs URL REDIRECT_URI PERSON        prints the last address, with its parameters

import { pathToFileURL } from 'node:url';

/** Maximum number of redirects of a sign-in. */
const REDIRECTS_MAX = 10;

/**
 * Opens `url` as `person` and follows redirects. Returns the address at `redirectUri`, with its parameters. `consentTo`
 * lists the data scopes that the person consents to; without it the person consents to all.
 */
export async function visit(url, redirectUri, person, consentTo) {
  const jars = new Map();
  let next = new URL(url);
  for (let redirect = 0; redirect <= REDIRECTS_MAX; redirect += 1) {
    const jar = jars.get(next.origin) ?? jars.set(next.origin, new Map()).get(next.origin);
    const headers = { cookie: cookieHeader(jar), 'sign-in-as': person, ...(consentTo && { 'consent-to': consentTo }) };
    const response = await fetch(next, { redirect: 'manual', headers });
    response.headers.getSetCookie().forEach((line) => storeCookie(jar, line));
    const location = response.headers.get('location');
    if (!location) {
      const text = (await response.text()).slice(0, 200);
      throw new Error(`${next.origin}${next.pathname} returned ${response.status}: ${text}`);
    }
    next = new URL(location, next);
    if (`${next.origin}${next.pathname}` === redirectUri) return next;
  }
  throw new Error(`more than ${REDIRECTS_MAX} redirects`);
}

/** Returns the value of the request header `cookie`. */
export function cookieHeader(jar) {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Stores or deletes the cookie of one `set-cookie` header. */
export function storeCookie(jar, line) {
  const [pair, ...attributes] = line.split(';').map((part) => part.trim());
  const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
  const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice('expires='.length);
  if (expires && new Date(expires) < new Date()) jar.delete(name);
  else jar.set(name, value);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [url, redirectUri, person] = process.argv.slice(2);
  console.log((await visit(url, redirectUri, person)).href);
}
