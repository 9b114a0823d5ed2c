/** One thing has one name. */
import { expect, test } from 'vitest';
import { typescriptIn } from './files.js';

/** The app in the browser is a program of its own. */
const server = typescriptIn('src', 'rest').filter(({ path }) => !path.startsWith('src/features/pages/app/'));

const exported = /^export (?:declare |abstract |async )*(?:interface|type|class|const|function\*?|enum) (\w+)/gm;

test('a name is exported by one file, so that it means one thing', () => {
  const files = new Map<string, string[]>();
  for (const { path, text } of server) {
    // A function with several signatures is exported once.
    const names = new Set([...text.matchAll(exported)].map(([, name = '']) => name));
    for (const name of names) files.set(name, [...(files.get(name) ?? []), path]);
  }
  expect(files.size).toBeGreaterThan(1500);
  const shared = [...files].filter(([, paths]) => paths.length > 1);
  expect(shared.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
});
