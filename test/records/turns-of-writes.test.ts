/** Others have a turn while many rows are prepared, which on SQLite they have between statements. */
import { expect, test } from 'vitest';
import type { ChangeContext } from '../../src/change/context.js';
import { createRecords } from '../../src/change/writes/record.js';
import { resourceOf } from '../support/resources.js';

const by = { keyId: 'k', keyName: 'k', requestId: 'r', operation: undefined };

/** The statements that make a document with so many lines. */
function statementsOf(lines: number): string[] {
  const writing: ChangeContext = {
    provider: 'sqlite',
    by,
    handlers: { rules: {}, observers: [], locksSubmitted: false, writers: [], journal: true },
    written: { rows: 0, characters: 0 },
  };
  const work = createRecords(writing, resourceOf('SubcontractingInwardOrder'), [{ items: Array(lines).fill({}) }], {
    isList: false,
  });
  const found: string[] = [];
  for (let step = work.next(); !step.done; step = work.next([])) found.push(step.value.sql);
  return found;
}

test('many rows are made before the first turn, and their entries after the second', () => {
  const [first, second, third] = statementsOf(5_000);
  expect([first, second]).toEqual(['SELECT 1', 'SELECT 1']);
  expect(third).toMatch(/^INSERT INTO "JournalEntry"/);
});

test('few rows are written without further statements', () => {
  expect(statementsOf(100)).not.toContain('SELECT 1');
});
