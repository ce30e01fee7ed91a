// Shows every picture in the two hosts that sunpeak imitates, and compares the figures with the tool's result.
//
// SUNPEAK is the folder of the npm package sunpeak, HOST_HOME a folder that it may write. PASSBOOK_MCP and PASSBOOK_TOKEN
// are the address of the tool server and the token. SCREENSHOTS is the folder of the pictures.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Report, launch } from './browser.mjs';
import { checkFrame, pictureFrame, structuredContent } from './frames.mjs';
import { freePort, startHost } from './host_process.mjs';
import { TOOLS } from './tools.mjs';

const folder = process.env.SCREENSHOTS ?? 'screenshots';
const sunpeak = process.env.SUNPEAK ?? '';
const home = process.env.HOST_HOME ?? '';
const report = new Report();

const description = JSON.parse(readFileSync(join(sunpeak, 'package.json'), 'utf8'));
mkdirSync(folder, { recursive: true });
mkdirSync(home, { recursive: true });
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const stop = await startHost(
  join(sunpeak, description.bin.sunpeak),
  ['inspect', '--server', process.env.PASSBOOK_MCP, '--port', String(port), '-H', `Authorization: Bearer ${process.env.PASSBOOK_TOKEN}`],
  { HOME: home, CI: '1', SUNPEAK_SANDBOX_PORT: String(await freePort()) },
  `${origin}/health`,
);
const browser = await launch();
try {
  // The locale of both hosts.
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1000, height: 1200 } });
  for (const host of ['chatgpt', 'claude']) {
    for (const theme of ['light', 'dark']) {
      for (const [name, { input }] of Object.entries(TOOLS)) {
        await show(page, host, theme, name, input);
      }
    }
    console.log(`sunpeak, ${host}: ${Object.keys(TOOLS).length} pictures, light and dark`);
  }
} finally {
  await browser.close();
  await stop();
}
report.finish(`sunpeak ${description.version}`);

async function show(page, host, theme, name, input) {
  const query = { tool: name, toolInput: JSON.stringify(input), autoRun: 'true', host, theme, sidebar: 'false', devOverlay: 'false' };
  await page.goto(`${origin}/?${new URLSearchParams(query)}`);
  const frame = await pictureFrame(page);
  await frame.waitForSelector(`:root[data-theme=${theme}]`, { state: 'attached' });
  await page.screenshot({ path: join(folder, `sunpeak-${host}-${theme}-${name}.png`) });
  await checkFrame(report, `${host}, ${theme}`, name, frame, await structuredContent(name, input));
}
