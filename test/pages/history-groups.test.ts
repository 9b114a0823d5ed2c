/** How the page of a record groups the changes of one version. */
import { expect, test } from 'vitest';
import { historyGroups } from '../../src/pages/app/records/history-groups.js';

const change = (path: string[], before: unknown, after: unknown, action: string) => ({ path, before, after, action });

test('the fields of a line stand together, without what goes without saying', () => {
  const groups = historyGroups(
    [
      change(['repairCost'], 7, 700, 'update'),
      change(['items', 'line_1', 'idx'], null, 1, 'create'),
      change(['items', 'line_1', 'repairId'], null, 'repair_1', 'create'),
      change(['items', 'line_1', 'itemCode'], null, 'SEAL', 'create'),
      change(['items', 'line_2', 'idx'], 1, 2, 'move'),
      change(['items', 'line_1', 'warehouse'], null, 'Yard', 'create'),
    ],
    'repair_1',
  );
  expect(groups).toEqual([
    { action: 'update', changes: [{ field: 'repairCost', before: 7, after: 700 }] },
    {
      line: { list: 'items', id: 'line_1' },
      action: 'create',
      changes: [
        { field: 'itemCode', before: null, after: 'SEAL' },
        { field: 'warehouse', before: null, after: 'Yard' },
      ],
    },
    { line: { list: 'items', id: 'line_2' }, action: 'move', changes: [{ field: 'idx', before: 1, after: 2 }] },
  ]);
});
