/** The file of refused lines holds each once, also where the transaction that refused them had to be repeated. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Procedure } from '../../../src/common/work.js';
import { type OpenedDatabase, openDatabase } from '../../../src/database/open-database.js';
import { fileInput } from '../../../src/features/transfer/import/input.js';
import { runImport } from '../../../src/features/transfer/import/run-import.js';
import { freshDatabaseUrl, freshFolder } from '../../support/database.js';

/** A database that is busy when the first batch is nearly written. */
function busyOnce(database: OpenedDatabase): OpenedDatabase {
  let wasBusy = false;
  function* failing<Result>(work: Procedure<Result>): Procedure<Result> {
    let step = work.next();
    while (!step.done) {
      const isLast = !wasBusy && step.value.sql.includes('INTO "ImportProgress"');
      wasBusy ||= isLast;
      if (isLast) step = work.throw(Object.assign(new Error('The database is busy'), { code: 'SQLITE_BUSY' }));
      else step = work.next(yield step.value);
    }
    return step.value;
  }
  return { ...database, perform: (begin, caller) => database.perform(() => failing(begin()), caller) };
}

test('a repeated transaction writes its refusals in place of the former ones', async () => {
  const database = await openDatabase({ url: await freshDatabaseUrl('sqlite'), migrate: true });
  onTestFinished(() => database.close());
  const path = join(freshFolder(), 'records.jsonl');
  const errors = join(freshFolder(), 'refused.jsonl');
  const industry = (name: unknown) => JSON.stringify({ __typename: 'IndustryType', industry: name });
  writeFileSync(path, [industry('mining'), industry(1), industry('fishing')].join('\n'));
  const progress = { isTerminal: false, isQuiet: true, printError: () => undefined };
  const done = await runImport(busyOnce(database), fileInput(path, undefined, undefined), {
    ...{ updates: false, isDryRun: false, stops: false, again: false, writers: [], errors, progress },
  });
  expect(done).toMatchObject({ imported: 2, refused: 1 });
  const [line = '', ...rest] = readFileSync(errors, 'utf8').split('\n');
  expect(JSON.parse(line)).toMatchObject({ line: 2, text: industry(1) });
  expect(rest).toEqual(['']);
});
