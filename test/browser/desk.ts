/** The example front end, built and served in front of a gateway, and the actions of a person in a browser. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { createKey } from '../../src/features/keys/api-keys.js';
import { freshFolder } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { openBrowser } from './browser.js';
import { press } from './press.js';
import { serveFolder } from './static-server.js';

const folder = fileURLToPath(new URL('../../examples/repair-desk', import.meta.url));
const programs = {
  codegen: `${folder}/node_modules/.bin/graphql-codegen`,
  vite: `${folder}/node_modules/vite/bin/vite.js`,
};

/** What must be installed to build the desk. */
export const needed = Object.values(programs);

/** Whether its types and documents were generated from the present files; generating takes seconds. */
function isGenerated(): boolean {
  const sources = join(folder, 'src');
  const generated = join(sources, 'generated/graphql.ts');
  if (!existsSync(generated)) return false;
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  const inputs = names.filter((name) => !name.startsWith('generated')).map((name) => join(sources, name));
  const all = [
    ...inputs,
    join(folder, 'codegen.ts'),
    join(folder, 'cache-keys.js'),
    join(folder, '../../docs/schema.graphql'),
  ];
  return all.every((input) => statSync(input).mtimeMs < statSync(generated).mtimeMs);
}

const deskScopes = [...['read', 'write', 'submit', 'cancel', 'delete'].map((verb) => `assets:${verb}`), 'stock:read'];

/** The folders of those that were built, by what they were built with. */
const built = new Map<string, string>();

/** The folder of the desk, built for the schema of a gateway, and where people sign in. */
async function build(gatewayUrl: string, signIn: Record<string, string> = {}): Promise<string> {
  const known = built.get(JSON.stringify(signIn));
  if (known !== undefined) return known;
  const made = freshFolder();
  const env = { ...process.env, GATEWAY_URL: gatewayUrl, ...signIn };
  // The gateway runs in this process, and is to answer meanwhile.
  const run = (...command: string[]) => promisify(execFile)(process.execPath, command, { cwd: folder, env });
  if (!isGenerated()) await run(programs.codegen);
  await run(programs.vite, 'build', '--outDir', made, '--logLevel', 'error');
  built.set(JSON.stringify(signIn), made);
  return made;
}

interface DeskOptions {
  database?: Provider;
  env?: Record<string, string>;
  /** Where people sign in, by the names of its README. */
  signIn?: Record<string, string>;
  start?: typeof startGateway;
}

/** Serves the desk in front of a new gateway with search, as its README says. */
export async function startDesk(options: DeskOptions = {}) {
  const { database, env = { SEARCH: 'true' }, signIn, start = startGateway } = options;
  let gateway = await start({ ...(database && { database }), env });
  const site = await serveFolder(await build(gateway.url, signIn), gateway.url);
  const browser = await openBrowser();
  /** Makes a key for somebody, with the scopes that the first screen names, or with these. */
  async function keyOf(name: string, scopes = deskScopes) {
    const { apiKey, secret } = await createKey(gateway.database, { name, scopes });
    return { id: apiKey.id, secret };
  }
  return {
    keyOf,
    browser,
    url: site.url,
    gateway: () => gateway,
    graphql: async (query: string, variables: Record<string, unknown> = {}) => {
      const { body } = await gateway.graphql(query, variables);
      expect(body.errors).toBeUndefined();
      return body.data;
    },
    /** With which status the gateway answers somebody with this key. */
    statusWith: async (secret: string) => {
      const answer = await gateway.graphql('{ viewer { name } }', {}, { authorization: `Bearer ${secret}` });
      return answer.status;
    },
    loseAnswer: site.loseAnswer,
    holdBack: site.holdBack,
    /** Stops the gateway, and starts another on the same database. */
    restart: async () => {
      const { databaseUrl } = gateway.config;
      await gateway.close();
      gateway = await startGateway({ env: { ...env, DATABASE_URL: databaseUrl } });
      site.passTo(gateway.url);
    },
    close: async () => {
      await browser.close();
      await site.close();
      await gateway.close();
    },
  };
}

export type Desk = Awaited<ReturnType<typeof startDesk>>;

/** Somebody at the desk, in a window of their own. */
export class Person {
  constructor(readonly page: Page) {}

  async giveKey(key: string) {
    await this.page.getByLabel('API key').fill(key);
    await press(this.button('Open the desk'));
  }

  /** Opens the repair of this asset from the list. */
  async open(asset: string) {
    await press(this.page.getByRole('link', { name: asset, exact: true }));
    await this.page.getByRole('heading', { name: asset }).waitFor();
    await this.page.locator('form').getByText('Live', { exact: true }).waitFor();
  }

  /** Goes back to the list, even with unsaved edits. */
  async leave() {
    this.page.once('dialog', (dialog) => dialog.accept());
    await press(this.page.getByRole('link', { name: 'Repair desk' }));
    await this.page.getByRole('heading', { name: 'Asset repairs' }).waitFor();
    this.page.removeAllListeners('dialog');
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  field(label: string) {
    return this.page.locator('form').getByLabel(label, { exact: true });
  }

  /** The items of the lines, from top to bottom. */
  items() {
    return this.valuesOf('Item');
  }

  async valuesOf(label: string) {
    return Promise.all((await this.field(label).all()).map((input) => input.inputValue()));
  }

  async addLine(item: string) {
    await press(this.button('Add a line'));
    await this.page.keyboard.type(item);
    await this.field('Warehouse').last().fill('Stores');
  }

  async save() {
    await press(this.button('Save'));
    await this.said('Saved.');
  }

  async saveAsNew() {
    const before = this.page.url();
    await press(this.button('Save as a new repair'));
    await this.page.waitForURL((url) => url.href !== before);
    await this.said('Live');
  }

  async said(text: string | RegExp) {
    await this.page.getByText(text).first().waitFor();
  }
}
