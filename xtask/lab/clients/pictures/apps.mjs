// Shows every picture in a host for MCP Apps, in both protocol eras, and compares the figures with the tool's result.
//
// API and TOKEN are the base address of the server and the token. SCREENSHOTS is the folder of the pictures.

import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Report, checkAccess, launch, load } from './browser.mjs';
import { showAll } from './frames.mjs';
import { TOOLS, missingTexts } from './tools.mjs';

const api = process.env.API ?? '';
const token = process.env.TOKEN ?? '';
const folder = process.env.SCREENSHOTS ?? 'screenshots';
/** The policy that a host uses for a picture that asks for nothing (SEP-1865). */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'";

/** The height in pixels that the first picture may have in a conversation. */
const HEIGHT_MAX = 480;
/** Milliseconds in which a picture must keep its size. */
const STILL = 300;

const report = new Report();

/** The sandbox: an inner frame has the picture, and this page relays the messages. */
const SANDBOX = `<!doctype html><title>Sandbox</title><body style="margin:0"><script>
const frame = document.createElement('iframe');
frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
frame.style.cssText = 'width:100%;height:890px;border:0';
document.body.append(frame);
addEventListener('message', ({ source, data }) => {
  if (source === parent && data?.method === 'ui/notifications/sandbox-resource-ready') {
    frame.contentDocument.open();
    frame.contentDocument.write(data.params.html);
    frame.contentDocument.close();
  } else if (source === parent) {
    frame.contentWindow.postMessage(data, '*');
  } else if (source === frame.contentWindow) {
    parent.postMessage(data, '*');
  }
});
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script></body>`;

/** Starts a server on a free port. */
async function serve(answer) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

/** Passes a message to the tool server with the token. The server allows no other origins, so it gets none. */
async function relay(request, response) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  const kept = Object.entries(request.headers).filter(([name]) => /^(mcp-|content-type|accept$)/.test(name));
  const answer = await fetch(`${api}/mcp`, {
    method: request.method,
    headers: { ...Object.fromEntries(kept), authorization: `Bearer ${token}` },
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

const { outputFiles } = await load('esbuild').build({
  entryPoints: [fileURLToPath(new URL('host.mjs', import.meta.url))],
  nodePaths: load.resolve.paths('esbuild'),
  bundle: true,
  format: 'iife',
  write: false,
  logLevel: 'error',
});
const script = outputFiles[0].text.replaceAll('</script', '<\\/script');

const host = await serve(async (request, response) => {
  if (request.url === '/mcp') {
    await relay(request, response);
  } else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Host</title><link rel="icon" href="data:,"><body></body><script>${script}</script>`);
  }
});
const sandbox = await serve(async (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }).end(SANDBOX);
});

/** Runs a function of the host's page. A message that is never answered is a problem, not a run without an end. */
async function inHost(page, name, ...values) {
  const ended = page.evaluate(([method, list]) => globalThis.host[method](...list), [name, values]);
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`the host got no answer in ${name} of ${values[0]}`)), 20_000).unref();
  });
  return Promise.race([ended, late]);
}

/** Checks what the lists say about the pictures. */
function checkLists(era, { tools, resources, resourceTemplates }) {
  report.check(resourceTemplates.length === 0, `${era}: there are resource templates`);
  const drawn = tools.filter((tool) => tool._meta?.ui?.resourceUri !== undefined);
  const names = drawn.map(({ name }) => name).sort();
  report.check(names.join() === Object.keys(TOOLS).sort().join(), `${era}: the tools with a picture are ${names}`);
  for (const { name, _meta } of drawn) {
    const { resourceUri } = _meta.ui;
    report.check(_meta['ui/resourceUri'] === resourceUri, `${era}: ${name} lacks the flat key`);
    report.check(_meta['openai/outputTemplate'] === resourceUri, `${era}: ${name} lacks the alias`);
    const resource = resources.find(({ uri }) => uri === resourceUri);
    report.check(resource?.mimeType === 'text/html;profile=mcp-app', `${era}: ${resourceUri} is not in the list`);
    report.check(_meta.ui.domain === undefined && resource?._meta?.ui?.domain === undefined, `${era}: ${name} has a domain`);
  }
}

async function checkPicture(page, era, name) {
  const { input } = TOOLS[name];
  const started = performance.now();
  const context = { theme: 'light', locale: 'en-GB', displayMode: 'inline' };
  const shown = await inHost(page, 'show', name, input, sandbox.origin, context);
  const [, , frame] = page.frames();
  await frame.waitForSelector('.view');
  await checkFirst(page, frame, era, name, shown.structured);
  console.log(`${era}, ${name}: drawn ${(performance.now() - started).toFixed(0)} ms after the call, ${shown.bytes} bytes`);
  await showAll(frame);
  for (const part of missingTexts(name, shown.structured, await frame.evaluate(() => document.body.innerText))) {
    report.check(false, `${era}, ${name}: the picture lacks ${part}`);
  }
  const { csp } = shown.meta?.ui ?? {};
  report.check(Array.isArray(csp?.connectDomains) && csp.connectDomains.length === 0, `${era}, ${name}: no explicit policy`);
  if (name === 'search_transactions') {
    await frame.locator('#show-more').click();
    await frame.waitForFunction(() => !document.querySelector('#show-more').disabled);
    const read = await frame.locator('.transactions > li:not(.day-heading)').count();
    report.check(read > shown.structured.transactions.length, `${era}, ${name}: "Show more" reads no further page`);
  }
  const blocked = await frame.evaluate((address) => fetch(address).then(() => false, () => true), `${host.origin}/`);
  report.check(blocked, `${era}, ${name}: the picture can send requests`);
  if (era === 'modern') {
    await checkAccess(frame, `${name}, light`, report);
    await page.screenshot({ path: join(folder, `app-${name}-light.png`) });
    await inHost(page, 'theme', { theme: 'dark', locale: 'en-GB' });
    await frame.waitForSelector(':root[data-theme=dark]', { state: 'attached' });
    await checkAccess(frame, `${name}, dark`, report);
    await page.screenshot({ path: join(folder, `app-${name}-dark.png`) });
  }
  const answered = await inHost(page, 'teardown');
  report.check(answered !== undefined, `${era}, ${name}: teardown without an answer`);
}

/** The first picture is low, keeps its size, and names the sum of all that it does not list. A tap on a name asks about it. */
async function checkFirst(page, frame, era, name, structured) {
  await page.waitForFunction(() => globalThis.sizes.length > 0);
  await page.waitForTimeout(STILL);
  const sizes = await page.evaluate(() => globalThis.sizes);
  report.check(sizes.length === 1 && sizes[0] > 50 && sizes[0] <= HEIGHT_MAX, `${era}, ${name}: heights ${sizes}`);
  if (era === 'modern') {
    const clip = { x: 0, y: 0, width: page.viewportSize().width, height: sizes[0] + 8 };
    await page.screenshot({ path: join(folder, `app-${name}-first.png`), clip });
  }
  const rows = await frame.locator('.view :is(.bars, .calendar, .transactions) > li:not(.day-heading)').count();
  report.check(rows <= 7, `${era}, ${name}: ${rows} rows at first`);
  const text = await frame.evaluate(() => document.body.innerText);
  for (const part of missingTexts(name, structured, text, 'en-GB', (payload) => TOOLS[name].first?.(payload, rows) ?? [])) {
    report.check(false, `${era}, ${name}: the first picture lacks ${part}`);
  }
  const names = frame.locator('button.name');
  if ((await names.count()) > 0) {
    const asked = await names.first().textContent();
    await names.first().click();
    await page.waitForFunction(() => globalThis.messages.length > 0);
    const [{ role, content }] = await page.evaluate(() => globalThis.messages);
    report.check(role === 'user' && content[0].text.includes(`“${asked.slice(0, 60)}”`), `${era}, ${name}: ${content[0].text}`);
  }
  const grown = await page.evaluate(() => globalThis.sizes.length);
  report.check(grown === 1, `${era}, ${name}: the picture grows without the reader`);
}

/** A picture of all days says so. A host that takes no messages gets none. */
async function checkAllDays(page, era) {
  await inHost(page, 'show', 'get_cashflow_summary', {}, sandbox.origin, { locale: 'en-GB' }, false);
  const [, , frame] = page.frames();
  const caption = await frame.textContent('figcaption p');
  report.check(caption?.includes('all time'), `${era}: all days are called ${caption}`);
  const selected = await frame.inputValue('#period');
  report.check(selected === 'all', `${era}: ${selected} is selected for all days`);
  report.check((await frame.locator('.bars > li').count()) === 2, `${era}: totals without months have no picture`);
  await showAll(frame);
  report.check((await frame.locator('button.name').count()) === 0, `${era}: a name is a button without use`);
}

/** The picture runs its tool again when the reader selects another range. */
async function checkRange(page, era) {
  await inHost(page, 'show', 'get_portfolio_history', { timeRange: '1y' }, sandbox.origin, { locale: 'en-GB' });
  const [, , frame] = page.frames();
  await frame.selectOption('#period', 'last-month');
  await frame.waitForFunction(() => !document.querySelector('[aria-busy]') && document.querySelector('#period')?.value === 'last-month');
  const caption = await frame.textContent('figcaption p');
  report.check(/\d\s–\s\d+ \w+ 20\d\d/.test(caption ?? ''), `${era}: range ${caption}`);
  await inHost(page, 'fail', 'The grant was revoked.');
  await frame.waitForSelector('.state.error');
  const words = await frame.textContent('.state.error');
  report.check(words?.includes('The grant was revoked.'), `${era}: error ${words}`);
  await inHost(page, 'cancel');
  await frame.waitForSelector('p.state');
}

mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const [era, width] of [['legacy', 320], ['modern', 760]]) {
  const page = await browser.newPage({ viewport: { width, height: 920 }, colorScheme: 'light' });
  // The browser reports the request that checkPicture sends and the policy blocks, in a wording that depends on its
  // version, and the stream that the tool server does not offer. The official packages write debug messages.
  page.on('console', (message) => {
    const isProblem = ['error', 'warning'].includes(message.type());
    const text = message.text();
    const isBlocked = /violates the (document|following Content Security Policy directive)/.test(text);
    const isExpected = (isBlocked && text.includes(`${host.origin}/`)) || text.includes('405 (Method Not Allowed)');
    report.check(!isProblem || isExpected, `console: ${text}`);
  });
  page.on('pageerror', (error) => report.check(false, `error: ${error.message}`));
  await page.goto(host.origin);
  checkLists(era, await inHost(page, 'connect', era));
  for (const name of Object.keys(TOOLS)) {
    await checkPicture(page, era, name);
  }
  await checkAllDays(page, era);
  await checkRange(page, era);
  await page.close();
}
await browser.close();
host.stop();
sandbox.stop();
report.finish('apps');
