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

/** What is missing to test a page that also needs these folders or files, as a sentence; undefined if nothing is. */
export function missing(...paths: string[]): string | undefined {
  const absent = [executablePath, ...paths].filter((path) => !existsSync(path));
  return absent.length > 0 ? `Skipped, because this is missing: ${absent.join(', ')}` : undefined;
}

/** A browser that remembers nothing, with a page in it. */
export async function openBrowser() {
  const browser = await chromium.launch({ executablePath, args: flags });
  const requests: string[] = [];
  const complaints: string[] = [];

  async function openPage(locale?: string): Promise<Page> {
    const viewport = { width: 1100, height: 850 };
    const context = await browser.newContext({ viewport, ...(locale && { locale }) });
    // What takes a second on an idle machine may take a minute on a busy one: only pages that hang should fail.
    context.setDefaultTimeout(150_000);
    context.on('request', (request) => void requests.push(request.url()));
    const page = await context.newPage();
    page.on('pageerror', (error) => void complaints.push(String(error)));
    page.on('console', (message) => {
      // A refusal by the gateway is reported too, and may be intended by a test.
      const isRefusal = /^Failed to load resource/.test(message.text());
      // Scalar warns of parts of the description that it cannot show.
      const isComplaint = message.type() === 'error' || /validation error/.test(message.text());
      if (isComplaint && !isRefusal) complaints.push(message.text());
    });
    return page;
  }

  const page = await openPage();
  return {
    page,
    /** Another window, for another person: a hidden tab would be drawn only once a second. */
    openPage,
    /** The addresses requested so far, by pages and by their workers. */
    requests,
    /** What a page has thrown or reported to the console as an error. */
    complaints,
    /** The address and the text of the page, to find out why a test failed on another machine. */
    whatIsSeen: async () => [page.url(), ...(await page.locator('body').allInnerTexts())].join('\n'),
    close: () => browser.close(),
  };
}
