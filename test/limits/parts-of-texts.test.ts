/**
 * The text of `contains` and `endsWith` must be short, because PostgreSQL cannot be stopped while it searches one long
 * text.
 */
import { describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';

onBothDatabases((gateway) => {
  describe.each(['contains', 'endsWith'])('%s', (operator) => {
    test.each([
      ['a variable', 'query ($text: String!) { jobCards(where: { operation: { %: $text } }) { totalCount } }'],
      [
        'a variable, by resolvers',
        'query ($text: String!) { jobCards(where: { operation: { %: $text } }) { __typename totalCount edges { node { actions { action } } } } }',
      ],
    ])('takes 500 characters and refuses more in %s', async (_, query) => {
      const ask = (length: number) => gateway().graphql(query.replace('%', operator), { text: 'a'.repeat(length) });
      expect((await ask(500)).body).toMatchObject({ data: { jobCards: { totalCount: 0 } } });
      const { errors } = (await ask(501)).body;
      expect(errors).toHaveLength(1);
      expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'parameter_invalid' });
      expect(errors[0].message).toContain('must have at most 500 characters');
    });
  });

  test('a prefix may be longer', async () => {
    const query = 'query ($text: String!) { jobCards(where: { operation: { startsWith: $text } }) { totalCount } }';
    const { body } = await gateway().graphql(query, { text: 'a'.repeat(5_000) });
    expect(body).toEqual({ data: { jobCards: { totalCount: 0 } } });
  });
});
