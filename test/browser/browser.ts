import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

/** Debian's browser, which the tests of pages drive. */
const executablePath = '/usr/bin/chromium';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What is missing to drive a page that needs these folders or files too, in words to print; undefined if nothing is. */
export function missing(...paths: string[]): string | undefined {
  const absent = [executablePath, ...paths].filter((path) => !existsSync(path));
  return absent.length > 0 ? `Skipped, because this is missing: ${absent.join(', ')}` : undefined;
}

/** A browser that remembers nothing, with a page in it. */
export async function openBrowser() {
  const browser = await chromium.launch({ executablePath, args: flags });
  const requests: string[] = [];
  const complaints: string[] = [];

  async function openPage(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 850 } });
    // Most of a second on a quiet machine is a minute on one that runs much else: what hangs is to fail, nothing else.
    context.setDefaultTimeout(150_000);
    context.on('request', (request) => void requests.push(request.url()));
    const page = await context.newPage();
    page.on('pageerror', (error) => void complaints.push(String(error)));
    page.on('console', (message) => {
      // A refusal by the gateway is reported too, and may be what a test asks for.
      const isRefusal = /^Failed to load resource/.test(message.text());
      // Scalar warns of what it cannot draw of the description.
      const isComplaint = message.type() === 'error' || /validation error/.test(message.text());
      if (isComplaint && !isRefusal) complaints.push(message.text());
    });
    return page;
  }

  const page = await openPage();
  return {
    page,
    /** Another window, of somebody else: a tab behind another would be drawn once a second. */
    openPage,
    /** The addresses asked for so far, by pages and by their workers. */
    requests,
    /** What a page has thrown or reported to the console as an error. */
    complaints,
    /** The address and the words of the page, for whoever asks why a test failed on another machine. */
    whatIsSeen: async () => [page.url(), ...(await page.locator('body').allInnerTexts())].join('\n'),
    close: () => browser.close(),
  };
}
