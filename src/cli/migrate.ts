/** `records migrate`: the migrations of a database. */
import type { Command } from 'commander';
import { addCommand, contextOf } from './command.js';
import { ProblemsFound } from './failure.js';
import type { Surroundings } from './surroundings.js';

export function addMigrate(program: Command, surroundings: Surroundings): void {
  const migrate = program
    .command('migrate')
    .description('migrate a database, for gateways that start with MIGRATE=false');

  const status: Command = addCommand(
    migrate,
    'status',
    'list the migrations that the database lacks, or what it lacks of theirs; exit code 3 if there is any',
    ['databaseUrl'],
  ).action(async () => {
    const { config, printResult } = contextOf(status, surroundings);
    const { readMigrationStatus, requireDatabase } = await import('./work.js');
    requireDatabase(config.databaseUrl);
    const found = await readMigrationStatus(config.databaseUrl);
    const { applied, missing, differing = [] } = found;
    const lacking = [...missing.map((name) => `Lacks the migration ${name}`), ...differing];
    const upToDate = `The database is up to date: it has all ${applied.length} migrations.`;
    printResult(found, `${lacking.join('\n') || upToDate}\n`);
    if (lacking.length > 0) throw new ProblemsFound();
  });

  const apply: Command = addCommand(migrate, 'apply', 'apply all missing migrations, or none', ['databaseUrl']).action(
    async () => {
      const { config, printResult } = contextOf(apply, surroundings);
      const { openDatabase } = await import('./work.js');
      const messages: string[] = [];
      const log = (message: string) => void messages.push(message);
      const database = await openDatabase({ url: config.databaseUrl, migrate: true, log });
      await database.close();
      printResult({ messages }, [...messages, 'The database is up to date.', ''].join('\n'));
    },
  );
}
