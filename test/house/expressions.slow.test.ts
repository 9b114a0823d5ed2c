/**
 * Regular expressions read untrusted input, so none may take more than linear time. Each is tested with matching texts,
 * made by fast-check, in which a part is repeated ten thousand times and the end does not match.
 */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isChosen, runs } from '../support/thorough.js';
import { nodesOf, typescriptIn } from './files.js';

const files = typescriptIn('src', 'rest').map((file) => ({ ...file, nodes: nodesOf(file) }));

const expressions = files.flatMap(({ path, nodes }) =>
  nodes.flatMap(({ type, regex }) => (type === 'Literal' && isExpression(regex) ? [{ path, ...regex }] : [])),
);

test.each(expressions.filter((_, index) => isChosen(index, 3)))(
  '$path: /$pattern/$flags takes linear time',
  ({ pattern, flags }) => {
    const expression = new RegExp(pattern, flags.replace('g', ''));
    expect(hurtful(pattern, flags).find((make) => isSlow(expression, make))?.(3)).toBeUndefined();
  },
);

test('the search finds quadratic expressions, and accepts linear ones', () => {
  const found = (pattern: string) => hurtful(pattern, '').some((make) => isSlow(new RegExp(pattern), make));
  const quadratic = ['^application\\/json *(; *charset *= *"?utf-8"? *)?;? *$', '^ *x? *$'];
  expect(quadratic.filter((pattern) => !found(pattern))).toEqual([]);
  expect(['^a*b*$', '^bearer +([^ ].*)$', '^[A-Za-z0-9._-]{1,128}$'].filter(found)).toEqual([]);
});

test('what cannot be sampled is tried all the same', () => {
  const pattern = '^[^ -~] *x? *$';
  expect(hurtful(pattern, '').some((make) => isSlow(new RegExp(pattern), make))).toBe(true);
});

test('expressions are made of a text where that is known to be harmless, and nowhere else', () => {
  const made = files.filter(({ nodes }) => nodes.some(isMadeOfText));
  expect(made.map(({ path }) => path)).toEqual(['src/model/words.ts']);
});

/** Makes a text in which a part is repeated `times` times. */
type Make = (times: number) => string;

/** Matching texts, each with every part of it repeated, with an end that matches and one that does not. */
function hurtful(pattern: string, flags: string): Make[] {
  const makes = new Map<string, Make>();
  for (const sample of samplesOf(pattern, flags)) {
    for (let at = 0; at <= Math.min(sample.length, 24); at++) {
      const parts = [
        sample.slice(at, at + 1),
        sample.slice(at, at + 2),
        sample.slice(Math.max(0, at - 1), at),
        ' ',
        '0',
      ];
      for (const part of new Set(parts.filter((text) => text !== ''))) {
        for (const end of ['', '\u0001!']) {
          const make: Make = (times) => sample.slice(0, at) + part.repeat(times) + sample.slice(at) + end;
          makes.set(make(3), make);
        }
      }
    }
  }
  return [...makes.values()];
}

function samplesOf(pattern: string, flags: string): string[] {
  const options = { numRuns: runs(3, 5), seed: 1 };
  const sample = () => fc.sample(fc.stringMatching(new RegExp(pattern, flags.replace(/[^su]/g, ''))), options);
  try {
    // fast-check would search for ever for a character of a class without printable characters.
    return runInNewContext('sample()', { sample }, { timeout: 2_000 });
  } catch {
    // Lookaheads and lookbehinds cannot be sampled either; characters of the pattern and others are used instead.
    return [pattern.replace(/[^\w ]/g, ''), 'aA', 'AAa', 'ä\t'];
  }
}

/**
 * Whether twice the length takes much more than twice the time, and takes long at all. Worse than quadratic expressions
 * are found with few repetitions and not tried with many. The best of several tries counts.
 */
function isSlow(expression: RegExp, make: Make): boolean {
  for (const times of [22, 300, 2_000]) if (timeOf(expression, make(times)) > 100) return true;
  if (timeOf(expression, make(10_000)) < 10) return false;
  const texts = [make(5_000), make(10_000)];
  // In turns, because other processes slow the processor down for a while.
  const rounds = [1, 2, 3, 4, 5].map(() => texts.map((text) => timeOf(expression, text)));
  const [half = 0, whole = 0] = texts.map((_, index) => Math.min(...rounds.map((times) => times[index] ?? 0)));
  return whole > 10 && whole > 2.8 * half;
}

/** Milliseconds of processor time, because on a busy machine elapsed time varies. */
function timeOf(expression: RegExp, text: string): number {
  const before = process.cpuUsage();
  // A sticky one is tried at one place.
  expression.lastIndex = 0;
  expression.exec(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function isExpression(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;
}

function isMadeOfText({ type, callee }: Record<string, unknown>): boolean {
  const isCall = type === 'NewExpression' || type === 'CallExpression';
  return isCall && typeof callee === 'object' && callee !== null && 'name' in callee && callee.name === 'RegExp';
}
