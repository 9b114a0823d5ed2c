/** The contents of a file of trusted documents, and the errors for a wrong one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTrustedDocuments } from '../../src/graphql/operation/trusted-documents.js';
import { freshFolder } from '../support/database.js';

test('a document is found under its name, in small letters, and under its hash', () => {
  const documents = readTrustedDocuments(fileWith('{ "Names": "{ __typename }" }'));
  const hash = '7f56e67dd21ab3f30d1ff8b7bed08893f0a0db86449836189b361dd1e56ddb4b';
  expect(new Map(documents)).toEqual(
    new Map([
      ['names', '{ __typename }'],
      [hash, '{ __typename }'],
    ]),
  );
});

test.each([
  ['{ "a": ', 'not valid JSON: it ends at line 1, column 8, where a value is expected'],
  ['["{ __typename }"]', 'it must hold one JSON object'],
  ['{ "a": 1 }', '`a` must be a text'],
  ['{ "a": "{ one }", "A": "{ other }" }', '`A` names two operations: names that differ only in case are the same'],
])('%s is refused, and why is said with the path', (text, reason) => {
  const path = fileWith(text);
  expect(() => readTrustedDocuments(path)).toThrow(reason);
  expect(() => readTrustedDocuments(path)).toThrow(`TRUSTED_DOCUMENTS names ${path}, which cannot be used`);
});

function fileWith(text: string): string {
  const path = join(freshFolder(), 'operations.json');
  writeFileSync(path, text);
  return path;
}
