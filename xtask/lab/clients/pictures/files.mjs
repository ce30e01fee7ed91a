// A server for the files of crates/views, under the policy of the dashboard, without data.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const STYLES = ['theme', 'charts', 'lists', 'controls', 'media'].map((name) => `<link rel="stylesheet" href="/styles/${name}.css">`);
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Views</title>
<link rel="icon" href="/icons/passbook.svg">${STYLES.join('')}</head><body></body></html>`;

/** Starts the server on a free port. Returns its origin and a function that stops it. */
export async function serveFiles() {
  const folder = process.env.VIEWS ?? '';
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(PAGE);
      return;
    }
    try {
      const text = readFileSync(join(folder, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(text);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
