import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { actions, statuses } from '../../src/model/lifecycle.js';
import { providers, shareOf } from '../support/database.js';
import { resourceOf, resources } from '../support/resources.js';
import { compared, moving, newTwins, startTwins, type Twins, updating } from './twins.js';

const changeable = resources.filter(({ kind }) => kind !== 'child').map((each) => [each.model, each] as const);
/** A document with lines, one without a status, a singleton: these represent all types in every combination. */
const ofEachForm = changeable.filter(([model]) =>
  ['AssetRepair', 'FinancialReportTemplate', 'CurrencyExchangeSettings'].includes(model),
);

/** All stored columns are compared here; the columns of the answer are compared elsewhere. */
const brief = 'version __typename';

describe.each(providers)('on %s', (database) => {
  let twins: Twins;
  beforeAll(async () => {
    twins = await startTwins(database);
  });
  afterEach(() => twins.compareJournals());
  afterAll(() => twins.close());

  describe('moves of', () => {
    test('a document, from every status to every other', async () => {
      const resource = resourceOf('AssetRepair');
      const updates = statuses.flatMap((from) => [...statuses, null].map((to) => ({ from, to })));
      for (const { from, to } of shareOf(database, updates)) {
        const ids = await newTwins(twins, resource, from);
        await compared(twins, resource, updating(resource, brief), ids, { input: { status: to } });
      }
      const moves = statuses.flatMap((from) => actions.map((action) => ({ from, action })));
      for (const { from, action } of shareOf(database, moves)) {
        const ids = await newTwins(twins, resource, from);
        await compared(twins, resource, moving(resource, action, brief), ids);
      }
    });
  });

  describe('expectedVersion of', () => {
    test.each(ofEachForm)('%s', async (_, resource) => {
      const ids = await newTwins(twins, resource);
      const { data } = await compared(twins, resource, updating(resource, brief), ids, { input: {} });
      const present = data.record.version;
      for (const expectedVersion of [present, null, present, present + 1, 0, -1, 2 ** 31 - 1, present + 2]) {
        await compared(twins, resource, updating(resource, brief), ids, { input: {}, expectedVersion });
        if (resource.documentLike)
          await compared(twins, resource, moving(resource, 'cancel', brief), ids, { expectedVersion });
      }
    });
  });

  test.each(shareOf(database, changeable))(
    'an update of a %s that is not there, and wrong arguments',
    async (_, resource) => {
      for (const id of ['asset-repair_unknown', `${resource.slug}_unknown`, '', '\ud800', 7, null]) {
        await compared(twins, resource, updating(resource, brief), { ourId: id, theirId: id }, { input: {} });
      }
      const ids = await newTwins(twins, resource);
      for (const input of [null, [], 'text', { unknown: 1 }, { status: 'lost' }, { id: 'other' }, { version: 7 }]) {
        await compared(twins, resource, updating(resource, brief), ids, { input });
      }
      const nulls = resource.fields.map(({ name }) => ({ [name]: null }));
      await compared(twins, resource, updating(resource, brief), ids, { input: Object.assign({}, ...nulls) });
      if (resource.kind === 'singleton')
        for (const input of nulls) await compared(twins, resource, updating(resource, brief), ids, { input });
      for (const expectedVersion of ['1', 1.5, 2 ** 31]) {
        await compared(twins, resource, updating(resource, brief), ids, { input: {}, expectedVersion });
      }
    },
  );
});
