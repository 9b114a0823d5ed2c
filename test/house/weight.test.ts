/** How much code there is to read: files, and tokens as TypeScript's scanner counts them, without comments. */
import { expect, test } from 'vitest';
import { nodesOf, type RepositoryFile, typescriptIn } from './files.js';

/** The most that there is; who deletes lowers it. `aim` is what it is to come to. */
const limits = { files: 460, tokens: 457_690 };
const aim = { files: 480, tokens: 395_000 };

test('the sources have no more files and tokens than they had', () => {
  const wings: Record<string, { files: number; tokens: number }> = {};
  const all = { files: 0, tokens: 0 };
  for (const file of typescriptIn('src', 'rest')) {
    const name = /^(src\/features\/[^/]+|src\/[^/]+|rest)\//.exec(file.path)?.[1] ?? 'src';
    const wing = wings[name] ?? { files: 0, tokens: 0 };
    wings[name] = wing;
    for (const sum of [wing, all]) {
      sum.files += 1;
      sum.tokens += tokensIn(file);
    }
  }
  console.table({ ...wings, all, aim });
  expect(all.files, 'files of src and rest').toBeLessThanOrEqual(limits.files);
  expect(all.tokens, 'tokens of src and rest').toBeLessThanOrEqual(limits.tokens);
});

test.each([
  ['const a = 1; // one', 5],
  ['call(`a$' + '{b}c$' + '{d}e`, "//", /[/]/g, `f`)', 14],
  ['a.b ??= c! >= 2 /* three */', 8],
  ['<p title="a">text {b} </p>', 14],
])('%s has %i tokens', (text, count) => {
  expect(tokensIn({ path: 'a.tsx', text })).toBe(count);
});

function tokensIn(file: RepositoryFile): number {
  // What a pattern could not tell from the rest: texts, pieces of templates, patterns.
  const pieces = nodesOf(file)
    .filter(({ type, raw }) =>
      type === 'Literal'
        ? /^["'/]/.test(String(raw))
        : type === 'TemplateElement' || (type === 'JSXText' && /\S/.test(String(raw))),
    )
    .sort((one, other) => one.start - other.start);
  let others = '';
  let end = 0;
  for (const piece of pieces) {
    others += `${file.text.slice(end, piece.start)} `;
    end = piece.end;
  }
  others += file.text.slice(end);
  const words = others.replace(comment, ' ').match(word) ?? [];
  return pieces.length + words.length;
}

const comment = /\/\/.*|\/\*[\s\S]*?\*\//g;
const word =
  /[\w$#@]+(?:\.\d+)?|\*\*=|&&=|\|\|=|\?\?=|[=!]==|\.{3}|=>|\?\.|\?\?|&&|\|\||\+\+|--|[-+*/%&|^<>=!]=|\*\*|<<|\S/g;
