/** Records are written in one place, so what happens with every change cannot be passed by. */
import { expect, test } from 'vitest';
import { resources } from '../support/resources.js';
import { typescriptIn } from './files.js';

const room = 'src/records/change/';
const files = typescriptIn('src', 'rest').filter(
  ({ path }) => !path.startsWith(room) && !path.startsWith('src/generated/'),
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

test('the only function that runs the statements of a plan is applyPlan', () => {
  const writers = [
    'insertStatements',
    'updateStatements',
    'shiftStatement',
    'raiseForeignStatement',
    'forgetParentStatement',
    'singleStatement',
  ];
  const users = typescriptIn(room.slice(0, -1)).filter(({ text }) =>
    writers.some((name) => new RegExp(String.raw`\b${name}\(`).test(text.replaceAll(/function\*? \w+/g, ''))),
  );
  expect(users.map(({ path }) => path.slice(room.length))).toEqual(['apply-plan.ts', 'run-update.ts']);
});
