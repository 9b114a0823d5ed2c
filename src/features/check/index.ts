/** `records check`: checks whether a database is intact, and corrects what can be corrected. */
import type { Command } from 'commander';
import { addCommand, contextOf, ProblemsFound } from '../../cli/command.js';
import type { Feature, Surroundings } from '../../gateway/feature.js';
import type { CheckResult } from './check-database.js';

export const check: Feature = { name: 'check', commands: addCheck };

function addCheck(program: Command, surroundings: Surroundings): void {
  addCommand(
    program,
    'check',
    'check a database: its file, migrations and tables, counts, lines, journal and search index; exit code 3 if something is wrong',
  )
    .option(
      '--fix',
      'correct counts, versions and times, close gaps between lines, and rebuild the search index; changes nothing else',
    )
    .action(async ({ fix = false }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const [{ requireDatabase }, { checkDatabase, repair }] = await Promise.all([
        import('../../cli/work.js'),
        import('./check-database.js'),
      ]);
      const { databaseUrl: url } = config;
      requireDatabase(url);
      let results = await checkDatabase(url, surroundings.features);
      if (fix && results.some(({ problems, isMendable }) => isMendable && problems.length > 0)) {
        await repair(url, surroundings.features);
        results = await checkDatabase(url, surroundings.features);
      }
      printResult(results, results.map(textOf).join(''));
      if (results.some(({ problems }) => problems.length > 0)) throw new ProblemsFound();
    });
}

function textOf({ holds, problems, isMendable, warnings = [] }: CheckResult): string {
  const hint = isMendable && problems.length > 0 ? ' (--fix repairs it)' : '';
  const mark = problems.length === 0 ? 'yes' : 'NO ';
  const told = [...problems, ...warnings.map((warning) => `Warning: ${warning}`)];
  return [`${mark}  ${holds}${hint}`, ...told.map((line) => `       ${line}`), ''].join('\n');
}
