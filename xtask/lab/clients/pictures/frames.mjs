// Checks of a picture in the frame of a third-party host.

import { missingTexts } from './tools.mjs';

/** Calls a tool without a host. Returns its structured content. */
export async function structuredContent(name, input) {
  const response = await fetch(process.env.PASSBOOK_MCP ?? '', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.PASSBOOK_TOKEN}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  return (await response.json()).result.structuredContent;
}

/** Waits for the frame that shows a view. Returns the frame. */
export async function pictureFrame(page) {
  const picture = page.frameLocator('iframe').frameLocator('iframe');
  await picture.locator('.view').waitFor();
  await picture.locator(':root.app').waitFor();
  const element = await page.frameLocator('iframe').locator('iframe').elementHandle();
  return element.contentFrame();
}

/** Shows all of a picture of which only the first rows are shown, and waits until all is read. */
export async function showAll(frame) {
  const toggle = frame.locator('#toggle');
  if (await toggle.isVisible()) {
    await toggle.click();
    await frame.waitForFunction(() => !document.querySelector('[aria-busy]'));
  }
}

/** Checks the figures of a picture, that it can send no request, and that it answers before it is removed. */
export async function checkFrame(report, place, name, frame, structured) {
  await showAll(frame);
  const locale = await frame.evaluate(() => Intl.NumberFormat().resolvedOptions().locale);
  for (const part of missingTexts(name, structured, await frame.evaluate(() => document.body.innerText), locale)) {
    report.check(false, `${place}, ${name}: the picture lacks ${part}`);
  }
  const directive = await frame.evaluate(
    (address) =>
      new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true });
        fetch(address).then(
          () => resolve('nothing'),
          () => setTimeout(() => resolve('not the policy'), 500),
        );
      }),
    process.env.API,
  );
  report.check(directive === 'connect-src', `${place}, ${name}: ${directive} blocks a request`);
  // The parent of the picture speaks for the host.
  const answer = await frame.parentFrame().evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('message', ({ data }) => data?.id === 'teardown' && resolve(data));
        document.querySelector('iframe').contentWindow.postMessage({ jsonrpc: '2.0', id: 'teardown', method: 'ui/resource-teardown', params: {} }, '*');
        setTimeout(() => resolve(undefined), 5000);
      }),
  );
  report.check(JSON.stringify(answer?.result) === '{}', `${place}, ${name}: the answer to the teardown is ${JSON.stringify(answer)}`);
  const left = await frame.evaluate(() => document.querySelectorAll('.view').length);
  report.check(left === 0, `${place}, ${name}: the picture stays after the teardown`);
}
