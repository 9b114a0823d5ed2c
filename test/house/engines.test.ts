/** Every installed package declares that it runs on the oldest supported Node, so that `npm ci` prints no warnings; what is optional it leaves out. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

interface Lock {
  packages: Record<string, { engines?: { node?: string }; optional?: boolean }>;
}

const { satisfies, minVersion }: Semver = createRequire(import.meta.url)('semver');

interface Semver {
  satisfies(version: string, range: string): boolean;
  minVersion(range: string): { version: string };
}

interface Package {
  engines: { node: string };
  allowScripts: Record<string, boolean>;
}

const { engines, allowScripts }: Package = JSON.parse(readFileSync('package.json', 'utf8'));
const oldest = minVersion(engines.node).version;

const locks = [
  'package-lock.json',
  'test/clients/package-lock.json',
  'test/tools/package-lock.json',
  'examples/repair-desk/package-lock.json',
];
test.each(locks)('the packages of %s', (file) => {
  const { packages }: Lock = JSON.parse(readFileSync(file, 'utf8'));
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  const others = Object.entries(packages).filter(
    ([, { engines, optional }]) => engines?.node && !optional && !satisfies(oldest, engines.node),
  );
  expect(others.map(([path, { engines }]) => `${path} wants Node ${engines?.node}`)).toEqual([]);
});

test('npm compiles no SQLite: src/build/compile-sqlite.ts does, where it is loaded', () => {
  expect(allowScripts['better-sqlite3']).toBe(false);
});
