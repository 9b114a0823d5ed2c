/** `records people`: takes a person out of the database. */
import type { Command } from 'commander';
import { addCommand, contextOf } from '../../cli/command.js';
import type { Surroundings } from '../../gateway/feature.js';

export function addPeople(program: Command, surroundings: Surroundings): void {
  const people = program.command('people').description('the people who sign in, as a database knows them');
  addCommand(
    people,
    'forget',
    'take a person out: createdBy and updatedBy of records, the journal and the counts of uses name somebody unknown instead',
  )
    .argument('<subject>', '<issuer>|<subject>, as createdBy and histories name the person')
    .addHelpText('after', example)
    .action(async (subject: string, _options, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const [{ withDatabase }, { forgetPerson }] = await Promise.all([
        import('../../cli/work.js'),
        import('./forget-person.js'),
      ]);
      const begun = performance.now();
      const tell = (table: string) => {
        if (performance.now() - begun > 2_000) surroundings.printError(`Looking through ${table}…\n`);
      };
      const forgotten = await withDatabase(config, (database) => forgetPerson(database, subject, tell));
      const { records, entries, uses, as } = forgotten;
      const text = `${records} records, ${entries} entries of the journal and ${uses} counts of uses name ${as} instead.\n${left}`;
      printResult(forgotten, text);
    });
}

const example = `
Example:
  records people forget 'https://login.example|248289761001'

Gateways may run meanwhile. Whoever still has a valid token of this person goes on under the old
name: end the person's sessions at the issuer first.
`;

const left =
  'Answers stored for repetitions are gone within a day, and logs and backups are yours to delete.\nWhat others have written about the person in fields of records stays.\n';
