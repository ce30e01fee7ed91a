// Runs the cases of a Node client, and prints the outcome of each as a line of JSON.
//
// A case is one sign-in: {"setting", "base", "issuer", "client_id", "person", "redirect_uri", "scope", "prompt"?}. A
// client that is not registered at the provider has "client_metadata_url" instead of "client_id". The outcome names the
// step at which the sign-in failed: the step of the last request. So a client that rejects a document fails at the step
// in which it received the document.

import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

import { visit } from './browser.mjs';

export class Journey {
  step = 'resource metadata';
  authorization = null;
  refresh = 'not given';

  constructor(one) {
    Object.assign(this, one);
    this.mcp = `${one.base}/mcp`;
    this.redirectUri = one.redirect_uri;
    this.fetch = this.fetch.bind(this);
  }

  /** Calls `fetch`, and sets the step to that of the request. */
  async fetch(input, init) {
    const url = new URL(input instanceof Request ? input.url : input);
    const step = stepOf(url, String(init?.body ?? ''));
    if (step) this.step = step;
    const response = await fetch(input, init);
    if (step === 'token' && response.ok) this.step = 'ID token';
    return response;
  }

  /** Signs the person in at the address of the client. Returns the redirect address with its parameters. */
  async consent(url) {
    this.step = 'authorization';
    this.authorization = `${new URL(url).origin}${new URL(url).pathname}`;
    const back = await visit(url, this.redirectUri, this.person, this.consent_to);
    if (!back.searchParams.has('code')) {
      throw new Error(`${back.searchParams.get('error')}: ${back.searchParams.get('error_description')}`);
    }
    this.step = 'callback';
    return back;
  }

  /** Checks REST: the person, a row that the client may read, and a route whose scope the client does not have. */
  async checkRest(token) {
    this.step = 'REST';
    const me = await this.get('/v1/me', token, 200);
    if (me.id !== this.person) throw new Error(`/v1/me must return the person ${this.person}; received ${me.id}`);
    const { transactions } = await this.get('/v1/transactions?pageSize=1', token, 200);
    if (transactions.length !== 1) throw new Error('/v1/transactions has no row');
    await this.get('/v1/portfolio', token, 403);
  }

  /** Checks an access token that was exchanged for the refresh token. */
  async checkRefreshed(earlier, refreshed) {
    this.step = 'refresh';
    if (refreshed === earlier) throw new Error('the refresh returned the same access token');
    await this.get('/v1/me', refreshed, 200);
    this.refresh = 'works';
  }

  async get(path, token, status) {
    const response = await fetch(`${this.base}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (response.status !== status) throw new Error(`GET ${path} must return ${status}; received ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  /** Returns `authorization_servers[0]` of the resource metadata, for clients that do not fetch the metadata. */
  async authorizationServer() {
    const response = await this.fetch(`${this.base}/.well-known/oauth-protected-resource`);
    return (await response.json()).authorization_servers[0];
  }
}

function stepOf(url, body) {
  if (url.pathname.includes('/.well-known/oauth-protected-resource')) return 'resource metadata';
  if (url.pathname.includes('/.well-known/o')) return 'provider metadata';
  if (url.pathname.endsWith('/register')) return 'registration';
  if (body.includes('grant_type=authorization_code')) return 'token';
  if (body.includes('grant_type=refresh_token')) return 'refresh';
  return undefined;
}

/** Runs `drive` on every case of the plan: the JSON file that the first argument names. */
export async function run(name, drive) {
  const { client, cases } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const version = versionOf(name);
  for (const one of cases) {
    const journey = new Journey(one);
    let failure = null;
    try {
      await drive(journey);
    } catch (error) {
      failure = `${error.name}: ${error.message}${error.cause?.message ? ` (${error.cause.message})` : ''}`;
    }
    console.log(JSON.stringify({
      client,
      version,
      setting: one.setting,
      failed_at: failure && journey.step,
      why: failure,
      authorization: journey.authorization,
      refresh: journey.refresh,
    }));
  }
}

/** Returns the version of a package that this file can import. */
function versionOf(name) {
  return JSON.parse(readFileSync(findPackageJSON(name, import.meta.url), 'utf8')).version;
}
