// What every client of Node does with its cases, and how it tells how far it came.
//
// A case is one sign-in: {"setting", "base", "client_id", "person", "redirect_uri", "scope", "prompt"?}. For each, one
// line of JSON is printed. The step at which a journey fails is that of the last request it made, so a client that
// refuses what it was given is said to fail at what it was given.

import { readFileSync } from 'node:fs';

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

  /** `fetch`, which notes what is asked for. */
  async fetch(input, init) {
    const url = new URL(input instanceof Request ? input.url : input);
    const step = stepOf(url, String(init?.body ?? ''));
    if (step) this.step = step;
    const response = await fetch(input, init);
    if (step === 'token' && response.ok) this.step = 'ID token';
    return response;
  }

  /** The person goes where the client sends them, and comes back with parameters for it. */
  async consent(url) {
    this.step = 'authorization';
    this.authorization = `${new URL(url).origin}${new URL(url).pathname}`;
    const back = await visit(url, this.redirectUri, this.person);
    if (!back.searchParams.has('code')) {
      throw new Error(`${back.searchParams.get('error')}: ${back.searchParams.get('error_description')}`);
    }
    this.step = 'callback';
    return back;
  }

  /** Asks REST for what the client may read, for whose it is, and for what it may not read. */
  async askRest(token) {
    this.step = 'REST';
    const me = await this.get('/v1/me', token, 200);
    if (me.id !== this.person) throw new Error(`/v1/me is of ${me.id}, and ${this.person} signed in`);
    const { transactions } = await this.get('/v1/transactions?pageSize=1', token, 200);
    if (transactions.length !== 1) throw new Error('/v1/transactions has no row');
    await this.get('/v1/portfolio', token, 403);
  }

  /** Asks with a token that came for the refresh token. */
  async askRefreshed(earlier, refreshed) {
    this.step = 'refresh';
    if (refreshed === earlier) throw new Error('the same access token again');
    await this.get('/v1/me', refreshed, 200);
    this.refresh = 'works';
  }

  async get(path, token, status) {
    const response = await fetch(`${this.base}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (response.status !== status) throw new Error(`GET ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  /** `authorization_servers[0]` of the resource's metadata, for clients that do not look it up themselves. */
  async authorizationServer() {
    const response = await this.fetch(`${this.base}/.well-known/oauth-protected-resource`);
    return (await response.json()).authorization_servers[0];
  }
}

function stepOf(url, body) {
  if (url.pathname.includes('/.well-known/oauth-protected-resource')) return 'resource metadata';
  if (url.pathname.includes('/.well-known/o')) return 'provider metadata';
  if (body.includes('grant_type=authorization_code')) return 'token';
  if (body.includes('grant_type=refresh_token')) return 'refresh';
  return undefined;
}

/** Runs `drive` on every case of the plan that the first argument names. */
export async function run(client, name, drive) {
  const { cases } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
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

/** The version that is installed beside this file. */
function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
}
