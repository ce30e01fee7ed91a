// Shows every picture in the web page of the MCP Inspector, and compares the figures with the tool's result.
//
// INSPECTOR is the folder of the Inspector's npm package, HOST_HOME a folder that it may write. PASSBOOK_MCP and
// PASSBOOK_TOKEN are the address of the tool server and the token. SCREENSHOTS is the folder of the pictures.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Report, launch } from './browser.mjs';
import { checkFrame, pictureFrame, structuredContent } from './frames.mjs';
import { freePort, startHost } from './host_process.mjs';
import { TOOLS } from './tools.mjs';

const folder = process.env.SCREENSHOTS ?? 'screenshots';
const inspector = process.env.INSPECTOR ?? '';
const home = process.env.HOST_HOME ?? '';
const report = new Report();
/** The titles of the tools, by which the Inspector lists the apps. */
const TITLES = {
  get_portfolio_history: 'Portfolio history',
  get_portfolio_snapshot: 'Portfolio snapshot',
  get_cashflow_summary: 'Cashflow summary',
  get_spending_by_category: 'Spending by category',
  get_top_merchants: 'Top merchants',
  detect_recurring_payments: 'Recurring payments',
  get_budget_summary: 'Budget summary',
  search_transactions: 'Search transactions',
  get_connected_banks_status: 'Bank connections',
};

const description = JSON.parse(readFileSync(join(inspector, 'package.json'), 'utf8'));
const program = join(inspector, Object.values(description.bin)[0]);
mkdirSync(folder, { recursive: true });
mkdirSync(home, { recursive: true });
const browser = await launch();
for (const [era, revision] of [['legacy', '2025-11-25'], ['modern', '2026-07-28']]) {
  const port = await freePort();
  const stop = await startHost(
    program,
    ['--web', '--server-url', process.env.PASSBOOK_MCP, '--transport', 'http', '--protocol-era', era, '--header', `Authorization: Bearer ${process.env.PASSBOOK_TOKEN}`],
    {
      HOME: home,
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_API_TOKEN: 'of-this-run',
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(await freePort()),
      MCP_APP_ORIGIN_PORT: String(await freePort()),
    },
    `http://127.0.0.1:${port}/`,
  );
  try {
    await inEra(era, revision, `http://127.0.0.1:${port}/?MCP_INSPECTOR_API_TOKEN=of-this-run`);
  } finally {
    await stop();
  }
}
await browser.close();
report.finish(`inspector ${description.version}`);

async function inEra(era, revision, address) {
  // The browser's own locale: a frame of another origin may be drawn before another one reaches it.
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1400, height: 1000 } });
  await page.goto(address);
  await page.getByRole('switch').first().click({ force: true });
  await page.getByText(`MCP ${revision}`).waitFor();
  await page.getByText('Apps', { exact: true }).first().click();
  await page.getByText(`MCP Apps (${Object.keys(TOOLS).length})`).waitFor();
  const sidebar = page.getByRole('button', { name: 'Close monitoring sidebar' });
  if (await sidebar.isVisible()) {
    await sidebar.click();
  }
  for (const [name, title] of Object.entries(TITLES)) {
    await page.getByText(title, { exact: true }).first().click();
    // The Inspector opens an app whose tool has no parameters at once.
    const button = page.getByRole('button', { name: 'Open App' });
    await button.or(page.locator('iframe')).first().waitFor();
    if (await button.isVisible()) {
      await button.click();
    }
    const frame = await pictureFrame(page);
    await page.screenshot({ path: join(folder, `inspector-${era}-${name}.png`) });
    // The Inspector's form has the defaults of the tool.
    await checkFrame(report, `inspector, ${era}`, name, frame, await structuredContent(name, {}));
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.locator('iframe').waitFor({ state: 'detached' });
  }
  console.log(`inspector, ${era}: ${Object.keys(TITLES).length} pictures at revision ${revision}`);
  await page.close();
}
