/** Runs a module in a real browser, bundled as a front end would be, with the libraries that it imports. */

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { missing, openBrowser } from '../browser/browser.js';
import { serveFolder } from '../browser/static-server.js';
import { freshFolder } from '../support/database.js';

/** Why the browser can't be asked; undefined if it can. */
export const noBrowser = missing();
if (noBrowser) console.log(noBrowser);

/** What a module exports: functions that are called with JSON and answer it. */
type Exports = Record<string, (...args: never[]) => unknown>;

export type InBrowser<Page extends Exports> = Awaited<ReturnType<typeof openInBrowser<Page>>>;

/** Opens a page with the module, at an address from where `/graphql` leads to the gateway. */
export async function openInBrowser<Page extends Exports>(file: string, gatewayUrl: string) {
  const folder = freshFolder();
  await build({
    stdin: {
      contents: `import * as functions from ${JSON.stringify(resolve(file))}; globalThis.functions = functions;`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"production"' },
    outfile: join(folder, 'page.js'),
  });
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>Recipe</title><script type="module" src="/page.js"></script>',
  );
  const site = await serveFolder(folder, gatewayUrl);
  const { page, complaints, ...browser } = await openBrowser();
  await page.goto(site.url);
  return {
    page,
    complaints,
    passTo: site.passTo,
    loseAnswer: site.loseAnswer,
    cut: site.cut,
    /** Calls what the module exports under this name, in the page. */
    call: <Name extends keyof Page & string>(
      name: Name,
      ...args: Parameters<Page[Name]>
    ): Promise<Awaited<ReturnType<Page[Name]>>> =>
      page.evaluate(`functions[${JSON.stringify(name)}](...${JSON.stringify(args)})`),
    close: async () => {
      await browser.close();
      await site.close();
    },
  };
}
