/** Files are short, have names in kebab-case, and do not mention the machine they were written on. */
import { expect, test } from 'vitest';
import { filesIn, typescriptIn } from './files.js';

const mostLines = 350;

test(`files have ${mostLines} lines at most`, () => {
  const long = typescriptIn('src', 'rest', 'prisma').filter(
    ({ text }) => text.trimEnd().split('\n').length > mostLines,
  );
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('the example front end has fewer than 2,300 lines: of TypeScript, without its tests', () => {
  const sources = typescriptIn('examples').filter(({ path }) => /\/src\/.*(?<!\.test)\.tsx?$/.test(path));
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.flatMap(({ text }) => text.trimEnd().split('\n')).length).toBeLessThan(2300);
});

test('names of files and folders are words in kebab-case', () => {
  const wrong = typescriptIn('src', 'rest', 'prisma', 'test').filter(
    ({ path }) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)+[a-z0-9]+(-[a-z0-9]+)*(\.slow)?(\.[a-z]+)?\.tsx?$/.test(path),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('nothing names the place it was written in', () => {
  // Put together here, so that this file does not name them either.
  const places = ['shared/' + 'design', 'shared/' + 'spec', '../' + 'shared', '/' + 'work/', 'issues ' + 'show'];
  const wrong = filesIn().flatMap(({ path, text }) =>
    places.filter((place) => text.includes(place)).map((place) => `${path} names ${place}`),
  );
  expect(wrong).toEqual([]);
});

test('text ends with a line end and has no carriage returns', () => {
  const texts = filesIn().filter(({ path }) => /\.(ts|json|md|prisma|sql|graphql)$/.test(path));
  const wrong = texts.filter(({ text }) => text.includes('\r') || (text !== '' && !text.endsWith('\n')));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('source files that comments and docs name exist', () => {
  const files = filesIn();
  const missing = files
    .filter(({ path }) => /\.(tsx?|md|prisma)$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w./-]+\.(?:tsx?|prisma))`/g)]
        .map(([, name]) => name ?? '')
        .filter((name) => !files.some((file) => `/${file.path}`.endsWith(`/${name.replace(/^(\.\.?\/)+/, '')}`)))
        .map((name) => `${path} names ${name}`),
    );
  expect(missing).toEqual([]);
});
