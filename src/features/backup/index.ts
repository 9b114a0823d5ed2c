/** Verified backups of SQLite: `records backup` and `records restore`. */
import type { Command } from 'commander';
import { addCommand, CommandError, contextOf, ProblemsFound } from '../../cli/command.js';
import type { Feature, Surroundings } from '../../gateway/feature.js';

export const backup: Feature = {
  name: 'backup',
  needs: ['check'],
  commands(program, surroundings) {
    addBackup(program, surroundings);
    addRestore(program, surroundings);
  },
};

function addBackup(program: Command, surroundings: Surroundings): void {
  addCommand(
    program,
    'backup',
    'back up an SQLite database to a file, also while gateways write to it, and verify the file',
  )
    .argument('<file>', 'a new file; its digest is written to <file>.sha256')
    .action(async (name: string, _options, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const path = await pathOf(config.databaseUrl, postgresqlBackup);
      const [{ explainingStart }, { makeBackup }] = await Promise.all([
        import('../../cli/work.js'),
        import('./make-backup.js'),
      ]);
      const made = await explainingStart(config.databaseUrl, () => makeBackup(path, name, surroundings.features));
      printResult(
        made,
        `${warningsOf(made.problems)}${made.file} is a backup: ${made.bytes} bytes, restored and checked.\nsha256 ${made.digest}\n`,
      );
      if (made.problems.length > 0) throw new ProblemsFound();
    });
}

function addRestore(program: Command, surroundings: Surroundings): void {
  addCommand(program, 'restore', 'replace an SQLite database by a backup, while no gateway uses it')
    .argument('<file>', 'a file that `records backup` has written')
    .option('--digest <sha256>', 'the expected digest of the file [that in <file>.sha256]')
    .option('--replace', 'move an existing database aside')
    .action(async (name: string, { digest, replace = false }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const path = await pathOf(config.databaseUrl, postgresqlRestore);
      const { restoreBackup } = await import('./restore-backup.js');
      const restored = await restoreBackup(name, path, { digest, replaces: replace }, surroundings.features);
      const aside = restored.replaced ? `What was there is now ${restored.replaced}.\n` : '';
      printResult(
        restored,
        `${warningsOf(restored.problems)}Restored ${restored.path}.\n${aside}sha256 ${restored.digest}\n`,
      );
      if (restored.problems.length > 0) throw new ProblemsFound();
    });
}

/** @throws CommandError for PostgreSQL, with `instead` */
async function pathOf(url: string, instead: string): Promise<string> {
  if (!url.startsWith('file:')) throw new CommandError(instead);
  const { requireDatabase, sqlitePath } = await import('../../cli/work.js');
  if (instead === postgresqlBackup) requireDatabase(url);
  return sqlitePath(url);
}

const warningsOf = (problems: readonly string[]): string =>
  problems.length === 0
    ? ''
    : `It holds what the database held, in which not all is right:\n${problems.map((problem) => `  ${problem}\n`).join('')}`;

const postgresqlBackup = `PostgreSQL is backed up by its own tools, while gateways write it:
  address=$(records config --libpq) && pg_dump --format=custom --file=FILE "$address"
or by pg_basebackup and archived logs, which also restore to any moment. To verify a backup, restore it into a
database of its own, and run \`records check --database-url URL\` on that one`;

const postgresqlRestore = `PostgreSQL is restored by its own tools, into an empty database that no gateway uses:
  address=$(records config --libpq) && pg_restore --no-owner --exit-on-error --dbname="$address" FILE
Then \`records check\` verifies it`;
