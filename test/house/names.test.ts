/** One thing has one name, and a folder has few enough files to find one at a glance. */
import { expect, test } from 'vitest';
import { errors } from '../../src/errors/errors.js';
import { filesIn, typescriptIn } from './files.js';

/** The app in the browser is a program of its own. */
const server = typescriptIn('src', 'rest').filter(({ path }) => !path.startsWith('src/pages/app/'));

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

test('the catalogue has every error once: of two with one name, it would have only the later', () => {
  const makers = filesIn('src/errors').filter(({ path }) => path.endsWith('-errors.ts'));
  const made = makers.flatMap(({ text }) => [...text.matchAll(/^ {2}(\w+): \(/gm)].map(([, name]) => name));
  expect(made.sort()).toEqual(Object.keys(errors).sort());
});

/** The most files of a folder, without those of the folders in it. */
const mostFiles = 29;

test(`a folder has ${mostFiles} files at most; one with more is divided into folders`, () => {
  const folders = new Map<string, number>();
  for (const { path } of [...filesIn('src'), ...filesIn('rest')]) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  expect(folders.size).toBeGreaterThan(50);
  expect([...folders].filter(([, count]) => count > mostFiles)).toEqual([]);
});
