/** A refused operation is asked for its document again, for a stored answer: it is neither read nor parsed twice. */
import { expect, test } from 'vitest';
import { createAdmission } from '../../src/graphql/operation/admission.js';
import { schema } from '../support/schema.js';

const admission = createAdmission(schema, { costLimit: 1000 });

/** What a request asks for, and how often its text was read. */
function read(query: string, variables: object = {}) {
  let reads = 0;
  const given = {
    get query() {
      reads++;
      return query;
    },
    variables,
  };
  try {
    const { kind } = admission.fromRequest(given, true);
    return { kind, reads };
  } catch (error) {
    const asked = admission.askedBy(error);
    return { asked, reads };
  }
}

test('the document of a refused operation is that which was parsed', () => {
  const { asked, reads } = read('mutation Old { nope }');
  expect(asked).toMatchObject({ kind: 'mutation', name: 'Old', sent: {} });
  expect(reads).toBe(read('mutation New { revokeApiKey(id: "x") { userErrors { code } } }').reads);
  const wrong = read('mutation ($id: ID!) { deleteIndustryType(id: $id) { deletedId } }', { id: {}, other: 1 });
  expect(wrong.asked).toMatchObject({ kind: 'mutation', sent: { id: {} } });
  expect(wrong.asked?.document.loc?.source.body).toContain('deleteIndustryType');
});

test('what could not be parsed asks for nothing', () => {
  expect(read('mutation {').asked).toBeUndefined();
  expect(admission.askedBy(new Error('of something else'))).toBeUndefined();
});
