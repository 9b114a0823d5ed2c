/**
 * The built gateway loads few files, and none that only the other database needs; the time of the start depends mostly
 * on this.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';

test('the gateway is a few files, which import no package before it is needed', () => {
  const { files, packages } = loadedToServe();
  // Code that is shared with a command, or that a feature loads when it serves, is in separate files. Forty more of them
  // cost 0.01 s of a start of 0.9 s.
  expect(files.size).toBeLessThan(130);
  expect([...packages].filter((name) => !isBuiltin(name))).toEqual([]);
});

test('what PostgreSQL needs is loaded when it is asked for', () => {
  const { files } = loadedToServe();
  const texts = [...files].map((file) => readFileSync(file, 'utf8'));
  const loaded = (text: string) => texts.some((each) => each.includes(text));
  expect(loaded('provider = "sqlite"')).toBe(true);
  expect(loaded('provider = "postgresql"')).toBe(false);
  expect(loaded('idle_session_timeout')).toBe(false);
});

/** The files that Node loads for the command `serve`, and the packages they name. */
function loadedToServe(): { files: Set<string>; packages: Set<string> } {
  const { built } = inject('testRun');
  const serve = readdirSync(built).filter((name) => /^(program|serve)-\w+\.js$/.test(name));
  expect(serve).toHaveLength(2);
  const files = new Set(['src/main.js', ...serve].map((name) => join(built, name)));
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\bimport\s*(?:[\w$*{},\s]+from\s*)?"([^"]+)";/g)) {
      if (name.startsWith('.')) files.add(join(dirname(file), name));
      else packages.add(name);
    }
  }
  return { files, packages };
}
