// The browser of the suites: Debian's chromium, driven by playwright-core.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Loads an installed npm package. */
export const load = createRequire(join(process.env.PACKAGES ?? '', 'package.json'));

/** Starts the browser. */
export function launch() {
  const { chromium } = load('playwright-core');
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    throw new Error(`${executablePath} does not exist: install the packages chromium and fonts-dejavu-core, or set CHROMIUM`);
  }
  // Chromium refuses its sandbox to the user root, and the pages are our own.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Collects problems and prints each once. */
export class Report {
  #problems = new Set();
  #checks = 0;

  /** Counts a check, and reports a problem unless the check holds. */
  check(holds, problem) {
    this.#checks += 1;
    if (!holds && !this.#problems.has(problem)) {
      this.#problems.add(problem);
      console.error(`pictures: ${problem}`);
    }
  }

  /** Prints the number of checks and sets the exit code. */
  finish(name) {
    console.log(`${name}: ${this.#checks} checks, ${this.#problems.size} problems`);
    process.exitCode = this.#problems.size === 0 ? 0 : 1;
  }
}

/**
 * Reports console messages, errors and requests to other origins of a page. While `expected.active` is true, the
 * browser's own messages about error responses are no problem. `expected.provider` is an origin to which the page may
 * send the person, but no other request.
 */
export function watch(page, origin, report, expected = { active: false }) {
  page.on('console', (message) => {
    const isExpected = expected.active && message.text().startsWith('Failed to load resource');
    report.check(isExpected, `console: ${message.text()}`);
  });
  page.on('pageerror', (error) => report.check(false, `error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = url.startsWith(`${origin}/`) || url.startsWith('data:');
    const isSignIn = request.isNavigationRequest() && new URL(url).origin === expected.provider;
    report.check(isOwn || isSignIn, `request to another origin: ${url}`);
  });
}

/** Reports violations that axe finds in a page or frame. */
export async function checkAccess(target, name, report) {
  await target.evaluate(load('axe-core').source);
  const { violations } = await target.evaluate(() => globalThis.axe.run());
  const found = violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target).join(' ')}`);
  report.check(found.length === 0, `axe, ${name}: ${found.join('; ')}`);
}
