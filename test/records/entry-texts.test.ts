/**
 * The text of journal entries leaves nothing behind for V8's collections of old objects. With a property after a spread, Node 20
 * kept every object in it, and with it the texts of the statement: 1 kB for each change.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { documentOf, type Journaled } from '../../src/change/entries/entry-sql.js';
import { sqliteEntries } from '../../src/change/entries/sqlite-entries.js';
import type { Step } from '../../src/change/plan.js';
import { resourceOf } from '../support/resources.js';

const repair = resourceOf('AssetRepair');
const line = resourceOf('AssetRepairConsumedItem');
const by = { keyId: 'k', keyName: 'key', requestId: 'r' };

const change = (number: number): Step => ({
  kind: 'update',
  resource: repair,
  rows: [{ id: 'asset-repair_1', values: { repairCost: number } }],
  action: 'update',
  raises: true,
});

const changeOfLines = (number: number): Step[] => [
  { kind: 'raise', id: 'asset-repair_1', resource: repair },
  {
    kind: 'update',
    resource: line,
    rows: ['1', '2'].map((id) => ({ id, values: { consumedQuantity: String(number) } })),
    action: 'update',
  },
];

function writeEntries(steps: readonly Step[]): void {
  const at = new Date();
  const journaled: Journaled = { by, at, document: documentOf(steps), createdAt: new Map(), rows: 2 };
  for (const { sql } of sqliteEntries(journaled, steps)) if (!sql) throw new Error('No text');
}

const oldBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0;

test('texts of entries stay among the young objects', () => {
  const rounds = Array.from({ length: 7 }, () => {
    const before = oldBytes();
    for (let number = 0; number < 5_000; number++) writeEntries(number % 2 ? [change(number)] : changeOfLines(number));
    return (oldBytes() - before) / 5_000;
  });
  // Not all of them: V8 keeps what it compiles there too, and what it collects of others makes a round smaller.
  const [, , , middle] = rounds.toSorted((one, other) => one - other);
  expect(middle).toBeLessThan(700);
});
