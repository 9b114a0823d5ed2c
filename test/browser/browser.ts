import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { freshFolder } from '../support/database.js';

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
  const context = await chromium.launchPersistentContext(freshFolder(), {
    executablePath,
    args: flags,
    viewport: { width: 1100, height: 850 },
  });
  context.setDefaultTimeout(10_000);
  const page = context.pages()[0] ?? (await context.newPage());
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => void requests.push(request.url()));
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('console', (message) => {
    // A refusal by the gateway is reported too, and may be what a test asks for.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  return {
    page,
    /** The addresses asked for so far, by the page and by its workers. */
    requests,
    /** What the page has thrown or reported to the console as an error. */
    complaints,
    close: () => context.close(),
  };
}
