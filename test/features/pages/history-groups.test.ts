/** How the page of a record groups the changes of one version. */
import { expect, test } from 'vitest';
import { historyGroups } from '../../../src/features/pages/app/records/record/history-groups.js';

const change = (path: string[], before: unknown, after: unknown, action: string) => ({ path, before, after, action });

test('the fields of a line stand together, without what goes without saying', () => {
  const groups = historyGroups(
    [
      change(['repairCost'], 7, 700, 'UPDATE'),
      change(['items', 'line_1', 'idx'], null, 1, 'CREATE'),
      change(['items', 'line_1', 'repairId'], null, 'repair_1', 'CREATE'),
      change(['items', 'line_1', 'itemCode'], null, 'SEAL', 'CREATE'),
      change(['items', 'line_2', 'idx'], 1, 2, 'MOVE'),
      change(['items', 'line_1', 'warehouse'], null, 'Yard', 'CREATE'),
    ],
    'repair_1',
  );
  expect(groups).toEqual([
    { action: 'UPDATE', changes: [{ field: 'repairCost', before: 7, after: 700 }] },
    {
      line: { list: 'items', id: 'line_1' },
      action: 'CREATE',
      changes: [
        { field: 'itemCode', before: null, after: 'SEAL' },
        { field: 'warehouse', before: null, after: 'Yard' },
      ],
    },
    { line: { list: 'items', id: 'line_2' }, action: 'MOVE', changes: [{ field: 'idx', before: 1, after: 2 }] },
  ]);
});
