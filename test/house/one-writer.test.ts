/** Records are written in one place, so that nothing that belongs to every change can be bypassed. */
import { expect, test } from 'vitest';
import { resources } from '../support/resources.js';
import { typescriptIn } from './files.js';

const folder = 'src/change/';
/** The index of the search is written in the same statement. */
const ofIndex = 'src/features/search/index/';
const files = typescriptIn('src', 'rest').filter(
  ({ path }) => ![folder, ofIndex, 'src/generated/'].some((each) => path.startsWith(each)),
);

/** The gateway's own tables, which hold no records. */
const own = [
  'ApiKey',
  'ApiUse',
  'IdempotentRequest',
  'RateWindow',
  'RecordCount',
  'RecordBlock',
  'RecordBlockChange',
  'JournalEntry',
  'JournalState',
  'WebhookDelivery',
  'WebhookLease',
  'ImportProgress',
  'SearchState',
  'gateway_is_writable',
];

test('nobody else writes a record through Prisma', () => {
  const delegates = resources.map(({ delegate }) => delegate).join('|');
  const writes = new RegExp(
    String.raw`\b(${delegates}|foreignParent|delegate\([^)]*\))\s*\.\s*(create|update|upsert|delete)\w*\(`,
  );
  expect(files.filter(({ text }) => writes.test(text)).map(({ path }) => path)).toEqual([]);
});

test('nobody else writes a record by SQL', () => {
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(INSERT INTO|DELETE FROM|UPDATE)\s+("[^"]+"|\$\{)/g)]
      .filter(([, , table = '']) => !own.includes(table.slice(1, -1)))
      .map(([statement]) => `${path}: ${statement}`),
  );
  expect(found).toEqual([]);
});

const inFolder = typescriptIn(folder.slice(0, -1)).map(({ path, text }) => ({ path: path.slice(folder.length), text }));

/** Every function that makes or runs a statement that writes a record, with the files that call it. */
const writers: Record<string, string[]> = {
  insertText: ['statements/insert.ts', 'statements/single-statement.ts'],
  // The journal's entries of new documents are rows of a kept text, too.
  rowsText: ['entries/sqlite-entries.ts', 'statements/insert.ts'],
  insertStatements: ['apply-plan.ts'],
  updateOne: ['statements/single-statement.ts', 'statements/update.ts'],
  updateStatements: ['statements/update.ts'],
  runUpdate: ['apply-plan.ts', 'statements/update.ts'],
  raiseVersion: ['apply-plan.ts'],
  raiseForeignStatement: ['statements/update.ts'],
  shiftStatement: ['apply-plan.ts'],
  removeWithEntries: ['statements/remove.ts'],
  remove: ['apply-plan.ts'],
  removalIfOff: ['apply-plan.ts'],
  forgetParentStatement: ['apply-plan.ts'],
  singleStatement: ['apply-plan.ts'],
  // It corrects versions and times for `records check --fix`, which alone calls it, from outside of the folder.
  mendBounds: [],
  // It names another author for `records people forget`, and changes nothing else.
  renameAuthor: [],
};

/** What the files that write such SQL offer beside it. */
const harmless = [
  'beyondBounds',
  'insertedColumns',
  'sharesValues',
  'conditionsOfOne',
  'lockParentStatement',
  'parentOf',
  'readStored',
  'storedRecordReader',
  'requireParent',
  // These put the journal's entries around a statement that one of the writers made.
  'updateEntries',
  'writingEntries',
  'withUpdateEntries',
  'withShiftEntries',
  'withInsertEntries',
];

test('within that folder, SQL that writes a record is made by few functions, all of which are known here', () => {
  const offered = inFolder
    .filter(({ text }) => /\b(INSERT INTO|DELETE FROM|UPDATE) ("?\$\{)/.test(text))
    .flatMap(({ text }) => [
      ...text.matchAll(/^export (?:const|(?:async )?function\*?) (\w+)[^=\n]*(?:\(|=.*=>|= \()/gm),
    ])
    .map(([, name = '']) => name)
    .filter((name) => !harmless.includes(name));
  expect(offered.filter((name) => !(name in writers))).toEqual([]);
  expect(offered).toEqual(expect.arrayContaining(['insertText', 'updateOne', 'shiftStatement', 'remove']));
});

test('from outside of it only check-database.ts calls mendBounds', () => {
  const callers = files.filter(({ text }) => text.includes('mendBounds('));
  expect(callers.map(({ path }) => path)).toEqual(['src/features/check/check-database.ts']);
});

test.each(Object.entries(writers))('%s is called on the way from applyPlan alone', (name, callers) => {
  const calls = new RegExp(String.raw`\b${name}\(`);
  const found = inFolder.filter(({ text }) =>
    calls.test(text.replaceAll(/function\*? \w+/g, '').replaceAll(/^import .*$/gm, '')),
  );
  expect(found.map(({ path }) => path)).toEqual(callers);
});
