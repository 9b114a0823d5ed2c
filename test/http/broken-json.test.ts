import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { readJson } from '../../src/common/read-json.js';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

/** Valid bodies on one line or several, each with a text that no answer may repeat. */
const bodies = fc
  .tuple(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 2), fc.constantFrom('\n', '\r\n'))
  .map(([value, indentation, newline]) =>
    JSON.stringify({ 'a\n"name\\': 'canary', value, number: -1.5e-7 }, null, indentation).replaceAll('\n', newline),
  );

/** A body that breaks at a known place: cut there, or with a character that JSON takes nowhere. */
const broken = fc
  .tuple(bodies, fc.nat(), fc.boolean())
  .map(([body, choice, isCut]) => [body, choice % (body.length + (isCut ? 0 : 1)), isCut] as const)
  .map(([body, at, isCut]) => {
    const begun = body.slice(0, at);
    const lines = begun.split('\n');
    const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}, `;
    return isCut
      ? { text: begun, says: `it ends at ${place}where ` }
      : { text: `${begun}\u0001${body.slice(at)}`, says: `: at ${place}` };
  });

describe.each([
  ['REST', 'POST', '/api/assets/asset-repair', (body: string) => body, 'The body is not valid JSON'],
  ['GraphQL', 'POST', '/graphql', (body: string) => body, 'The body is not valid JSON'],
  ['variables of a GET', 'GET', '/graphql', undefined, 'The parameter `variables` is not valid JSON'],
] as const)('%s', (_surface, method, path, bodyOf, begins) => {
  test('says where a body breaks, and repeats nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(broken, async ({ text, says }) => {
        // An empty body or parameter is refused, or taken for none, in other words.
        fc.pre(text !== '');
        const query = bodyOf ? '' : `?${new URLSearchParams({ query: '{ __typename }', variables: text })}`;
        const answer = await gateway.rest(method, path + query, bodyOf?.(text));
        const message: string = (answer.body.error ?? answer.body.errors[0]).message;
        expect(answer.status).toBe(400);
        expect(message).toContain(says);
        expect(message.startsWith(begins)).toBe(true);
        expect(message).toMatch(/, (where )?(".*"|the|an?) .* ?is expected\b/);
        expect(message).not.toContain('canary');
        expect(message.length).toBeLessThan(250);
      }),
      { numRuns: 150 },
    );
  });
});

test.each([
  ['', 'it ends at line 1, column 1, where a value is expected'],
  ['\ufeff{}', 'at line 1, column 1, a value is expected'],
  ['[1, 2,]', 'at line 1, column 7, a value is expected'],
  ['[}', 'at line 1, column 2, a value or "]" is expected'],
  ['{"a": 1,}', 'at line 1, column 9, a name in double quotes is expected'],
  ["{\n  'a': 1}", 'at line 2, column 3, a name in double quotes or "}" is expected'],
  ['{"a" 1}', 'at line 1, column 6, ":" is expected'],
  ['{"a": 1 "b": 2}', 'at line 1, column 9, "," or "}" is expected'],
  ['{"a": 1]', 'at line 1, column 8, "," or "}" is expected'],
  ['{} {}', 'at line 1, column 4, the end is expected'],
  ['[tru]', 'at line 1, column 5, "true" is expected'],
  ['[None]', 'at line 1, column 2, a value or "]" is expected'],
  ['[01]', 'at line 1, column 3, "," or "]" is expected'],
  ['[1.e5]', 'at line 1, column 4, a digit is expected'],
  ['[-.5]', 'at line 1, column 3, a digit is expected'],
  ['["a\nb"]', 'at line 1, column 4, an escape such as "\\n" or "\\t", and no control character, is expected'],
  ['["\\x"]', 'at line 1, column 4, the rest of an escape such as "\\n" or "\\u00e9" is expected'],
  ['["\\u12g4"]', 'at line 1, column 7, the rest of an escape such as "\\n" or "\\u00e9" is expected'],
  ['["a', 'it ends at line 1, column 4, where the closing double quote is expected'],
])('of %j is said what is expected', (text, message) => {
  expect(() => readJson(text)).toThrow(new SyntaxError(`not valid JSON: ${message}`));
});

test('a text that only opens lists, objects or strings is no deeper for the one who looks', () => {
  for (const part of ['[', '{"":', '["\\u0000",', '\n']) {
    const text = part.repeat(1024 * 1024);
    expect(() => readJson(text)).toThrow(/^not valid JSON: it ends at line \d+, column \d+, where /);
  }
});

test('a byte order mark before a body is ignored, and only there', async () => {
  const created = await gateway.rest('POST', '/api/crm/industry-type', '\uFEFF{"industry": "Marked"}');
  expect([created.status, created.body.industry]).toEqual([201, 'Marked']);
  const asked = await gateway.rest('POST', '/graphql', '\uFEFF{"query": "{ __typename }"}');
  expect(asked.body).toEqual({ data: { __typename: 'Query' } });
  expect((await gateway.rest('POST', '/graphql', '{\uFEFF"query": "{ __typename }"}')).status).toBe(400);
});
