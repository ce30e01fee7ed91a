// Draws random households with the views, in the browser, and compares every figure with the payloads.

import { launch, watch } from './browser.mjs';
import { compareAll, draw, report, useTexts } from './comparisons.mjs';
import { serveFiles } from './files.mjs';
import { household } from './households.mjs';

const HOUSEHOLDS = Number(process.env.HOUSEHOLDS ?? 60);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Time zones and locales in which a day or a separator could go wrong, and languages: English, or a file of texts. */
const PLACES = [
  { locale: 'en-GB', timezoneId: 'Pacific/Kiritimati', width: 1280, colorScheme: 'light' },
  { locale: 'de-DE', timezoneId: 'Pacific/Pago_Pago', width: 320, colorScheme: 'dark', language: 'de' },
  { locale: 'fr-CH', timezoneId: 'Europe/Berlin', width: 700, colorScheme: 'light', language: 'fr' },
  { locale: 'es-MX', timezoneId: 'America/Mexico_City', width: 390, colorScheme: 'light', language: 'es' },
  { locale: 'pt-PT', timezoneId: 'Europe/Lisbon', width: 390, colorScheme: 'light', language: 'pt_pt' },
];

/** Draws a history of the largest size that the service returns, and prints the time. */
async function measure(page) {
  const points = Array.from({ length: 1200 }, (_, index) => ({
    date: new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10),
    total: { amount_cents: 5_000_000 + ((index * 7919) % 90_001), currency: 'EUR' },
  }));
  const history = { dateFrom: points[0].date, dateTo: points.at(-1).date, interval: 'day', points };
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    times.push((await draw(page, 'net_worth', 'netWorthView', { history })).taken);
  }
  console.log(`1200 points: ${times.map((time) => time.toFixed(1)).join(', ')} ms until the next frame`);
}

const { origin, stop } = await serveFiles();
const browser = await launch();
console.log(`figures: seed ${SEED}`);
for (const [index, { locale, timezoneId, width, colorScheme, language }] of PLACES.entries()) {
  const page = await browser.newPage({ locale, timezoneId, colorScheme, viewport: { width, height: 900 } });
  watch(page, origin, report);
  await page.goto(origin);
  await useTexts(page, language);
  for (let seed = SEED + index; seed < SEED + HOUSEHOLDS; seed += PLACES.length) {
    await compareAll(page, household(seed));
  }
  if (index === 0) {
    await measure(page);
  }
  await page.close();
}
await browser.close();
stop();
report.finish('figures');
