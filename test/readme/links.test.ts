/** Every link from one page of the documentation leads to a file that is there, and to a heading of it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from '../house/files.js';

const pages = filesIn()
  .filter(({ path }) => /^(README\.md|SECURITY\.md|docs\/[^/]+\.md|examples\/[^/]+\/README\.md)$/.test(path))
  .map(({ path, text }) => ({ path, links: linksOf(text), files: filesNamedIn(text) }));

test.each(pages)('links of $path', ({ path, links }) => {
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test.each(pages)('files that $path names', ({ path, files }) => {
  expect(files.filter((file) => !existsSync(file) && !existsSync(join(dirname(path), file)))).toEqual([]);
});

test('the README leads to every page', () => {
  const links = pages.find(({ path }) => path === 'README.md')?.links ?? [];
  expect(pages.map(({ path }) => path).filter((path) => path !== 'README.md' && !links.includes(path))).toEqual([]);
});

test('the README names every folder of the code', () => {
  const [, named = ''] = readFileSync('README.md', 'utf8').split('## Where things are');
  const folders = filesIn('src').flatMap(({ path }) => /^src\/[^/]+\/(?=.)/.exec(path) ?? []);
  expect(
    [...new Set(folders)].filter((folder) => !named.includes(`| \`${folder}\``) && !named.includes(`, \`${folder}\``)),
  ).toEqual([]);
});

test('a decision that the code names is on the page of decisions', () => {
  const page = readFileSync('docs/decisions.md', 'utf8');
  const decisions = [...page.matchAll(/^(?:#+ (.+)|\| (.+?) \|)/gm)].map(([, heading, row]) =>
    String(heading ?? row)
      .replaceAll('`', '')
      .toLowerCase(),
  );
  const named = filesIn('src').flatMap(({ text }) =>
    [...text.matchAll(/\((?:docs\/decisions\.md|decision): ([^)]+)\)/g)].map(([, name = '']) =>
      name.replaceAll('`', '').toLowerCase(),
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !decisions.some((decision) => decision.includes(name)))).toEqual([]);
});

/** The links of a page that lead to a place in this repository. */
function linksOf(text: string): string[] {
  const shown = text.replaceAll(/```[\s\S]*?```/g, '');
  return [...shown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !link.includes('://'));
}

/** The files and folders that a page names in code spans, from the root or from the folder of the page. */
function filesNamedIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|rest|test|prisma|docs|bench|examples)\/[\w./-]+)`/g)].map(([, path = '']) => path);
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
