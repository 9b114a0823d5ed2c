/** A filter by an invalid instant, or by one finer than the stored ones, is refused in every place. */
import { expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask } from './ask.js';
import { createQuotations } from './quotations.js';

const wrong: [string, string][] = [
  ['2026-02-30', 'must name a day that is in the calendar'],
  ['2026-01-31T24:00Z', 'must name a time from 00:00:00 to 23:59:59'],
  ['2026-01-31T10:00:00.0005Z', 'must have at most three decimals of a second'],
];

onBothDatabases((gateway) => {
  test.each(wrong)('%s in a variable', async (value, problem) => {
    for (const [type, path, variable] of [
      ['DateTime!', 'value', value],
      ['[DateTime!]', 'value[1]', ['2026-01-31', value]],
      ['QuotationFilter', 'value.or[0].updatedAt.lte', { or: [{ updatedAt: { lte: value } }] }],
    ] as const) {
      const where = { 'DateTime!': '{ createdAt: { gte: $value } }', '[DateTime!]': '{ createdAt: { in: $value } }' };
      const text = `query ($value: ${type}) { quotations(where: ${type === 'QuotationFilter' ? '$value' : where[type]}) { totalCount } }`;
      const { body } = await gateway().graphql(text, { value: variable });
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT', errors: [{ param: path }] } }] });
      expect(body.errors[0].message).toBe(`\`${path}\` ${body.errors[0].extensions.errors[0].message.split('` ')[1]}`);
      expect(body.errors[0].message).toContain(problem);
      expect(body.data).toBeUndefined();
    }
  });

  test.each(wrong)('%s in the text', async (value, problem) => {
    const { status, body } = await gateway().graphql(
      `{ quotations(where: { createdAt: { gte: "${value}" } }) { totalCount } }`,
      {},
      { accept: 'application/graphql-response+json' },
    );
    expect([status, body.data]).toEqual([400, undefined]);
    expect(body.errors[0].message).toContain(problem);
    expect(body.errors[0].message).not.toContain(value);
  });

  test.each(wrong)('%s for the end of a key, which is then not made', async (expiresAt, problem) => {
    const text = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }';
    const { body } = await gateway().graphql(text, { input: { name: 'short', scopes: ['*'], expiresAt } });
    expect(body.errors[0].message).toContain(problem);
    expect(body.data?.createApiKey ?? null).toBeNull();
  });

  test('the millisecond itself is found, by each comparison', async () => {
    const [id] = await createQuotations(gateway(), [{ company: 'clock' }]);
    const { quotation } = await ask(gateway(), 'query ($id: ID!) { quotation(id: $id) { createdAt } }', { id });
    const at = quotation.createdAt.replace('Z', '000Z');
    const count = async (condition: object) =>
      (
        await ask(gateway(), 'query ($where: QuotationFilter) { quotations(where: $where) { totalCount } }', {
          where: { company: { eq: 'clock' }, createdAt: condition },
        })
      ).quotations.totalCount;
    expect([await count({ eq: at }), await count({ gte: at, lte: at }), await count({ in: [at] })]).toEqual([1, 1, 1]);
    expect([await count({ gt: at }), await count({ lt: at }), await count({ ne: at })]).toEqual([0, 0, 0]);
  });

  test('over REST the instants of a record are ignored, as all it makes itself, and dates are texts', async () => {
    const body = { asset: 'press', failure_date: '2026-02-30', created_at: '2026-02-30', updated_at: 'T24:00' };
    const { status, body: made } = await gateway().rest('POST', '/api/assets/asset-repair', body);
    expect([status, made.failure_date]).toEqual([201, '2026-02-30']);
    expect(Date.parse(made.created_at)).toBeGreaterThan(Date.parse('2026-01-01'));
  });
});
