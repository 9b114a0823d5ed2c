/** The code on the pages for those who write clients is code that the tests run with the library that it names. */
import { expect, test } from 'vitest';
import { filesIn } from '../house/files.js';
import { linesOf, snippetsOf } from './examples.js';

/** The code of the gateway itself, and the receivers of webhooks, which test/features/webhooks runs from their page. */
const others = ['docs/how-records-are-stored.md', 'docs/webhooks.md', 'docs/features.md'];

const snippets = filesIn('docs')
  .filter(({ path }) => path.endsWith('.md') && !others.includes(path))
  .flatMap(({ path, text }) => snippetsOf(text).map((lines) => ({ path, lines })));
const clients = filesIn('test/clients');
const backend = filesIn('examples/backend').filter(({ path }) => path.endsWith('.js'));
const recipes = [...clients.filter(({ path }) => path.startsWith('test/clients/recipes/')), ...backend];
const joined = (lines: string[]) => `\n${lines.join('\n')}\n`;

test('what a page shows is a recipe, or lines of what runs beside it', () => {
  const run = [...clients, ...backend].map(({ text }) => joined(linesOf(text)));
  const unknown = snippets.filter(({ lines }) => !run.some((file) => file.includes(joined(lines))));
  expect(unknown).toEqual([]);
  expect(snippets.length).toBeGreaterThan(5);
});

/** What runs on Node: codegen.slow.test.ts and backend.slow.test.ts run it. */
const forNode = ['code-generators.ts', 'server.js'];

test('every recipe is shown whole, and runs in a browser', () => {
  const pages = clients.filter(({ path }) => path.startsWith('test/clients/pages/')).map(({ text }) => text);
  for (const { path, text } of recipes) {
    const shown = snippets.filter(({ lines }) => joined(lines) === joined(linesOf(text)));
    expect(shown.length, `${path} is shown once`).toBe(1);
    if (forNode.some((name) => path.endsWith(`/${name}`))) continue;
    const name = path.replace('test/clients', '..').replace('.ts', '.js');
    const importing = [...pages, ...recipes.map((recipe) => recipe.text.replaceAll("'./", "'../recipes/"))];
    expect(
      importing.some((page) => page.includes(`'${name}'`)),
      `a page imports ${path}`,
    ).toBe(true);
  }
});
