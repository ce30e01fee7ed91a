/** The requests of the page to its own server. The credential is in a cookie that scripts cannot read.
 * @import { DataRequest, Value } from './types.d.ts' */

import { TEXT } from './text.js';

/** The path of the page; every request is below it. */
const BASE = document.documentElement.dataset.base ?? '/';
/** A page of another origin cannot send this header without the server's consent. */
const HEADERS = { 'x-passbook-page': '1' };

/** A request that failed, with the words of the server. */
export class Failure extends Error {
  /** @param {string} message @param {number} status 0 if the server was not reached
   * @param {string | undefined} requestId */
  constructor(message, status, requestId) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** Reads data. Returns the payload of the REST route.
 * @param {DataRequest} request @param {AbortSignal} [signal] @returns {Promise<any>} @throws {Failure} */
export async function readData({ path, parameters }, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    query.set(name, queryText(value));
  }
  // The server compresses no answer to a query with encoded characters, because such a query may hold a free text.
  const search = query.size === 0 ? '' : `?${String(query).replaceAll('%2C', ',')}`;
  const response = await send(`data/v1/${path}${search}`, { headers: HEADERS, ...(signal && { signal }) });
  return response.json();
}

/** @param {Value} value */
function queryText(value) {
  if (Array.isArray(value)) {
    return value.join(',');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Exchanges the single-use code of a link for a session. @param {string} code */
export function exchangeCode(code) {
  return post('session/code', { code });
}

/** Starts a session with a personal access token. @param {string} token */
export function useToken(token) {
  return post('session/token', { token });
}

/** Ends the session. */
export function signOut() {
  return post('session/sign-out', undefined);
}

/** Returns the address that starts a sign-in at the identity provider, or nothing if the server offers none.
 * @param {string} path the place in the page to which the reader returns */
export function signInAddress(path) {
  const offered = document.documentElement.dataset.signIn === 'true';
  return offered ? `${BASE}session/sign-in?return=${encodeURIComponent(path)}` : undefined;
}

/** @param {string} path @param {object | undefined} body */
function post(path, body) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return send(path, { method: 'POST', headers: { ...HEADERS, ...type }, ...json });
}

/** @param {string} path @param {RequestInit} options */
async function send(path, options) {
  const response = await fetch(`${BASE}${path}`, { cache: 'no-store', redirect: 'error', ...options }).catch(
    (error) => {
      throw error.name === 'AbortError' ? error : new Failure(TEXT.offline, 0, undefined);
    },
  );
  if (!response.ok) {
    const body = await response.json().catch(() => undefined);
    const { code, message, requestId } = body?.error ?? {};
    throw new Failure(TEXT.errors[code] ?? message ?? TEXT.unexpected, response.status, requestId);
  }
  return response;
}
