/** People and keys with roles: who signs in, and what a role allows, about rows and fields of each type. */

import { type Command, Option } from 'commander';
import { addCommand, contextOf } from '../../cli/command.js';
import { nameList } from '../../cli/option-values.js';
import type { Feature, Surroundings } from '../../gateway/feature.js';
import { ruledActions } from '../../query/rights.js';
import { peopleSettings } from './people-settings.js';

export const people: Feature = {
  name: 'people',
  settings: peopleSettings,
  commands(program, surroundings) {
    addAccess(program, surroundings);
    addPeople(program, surroundings);
  },
  async served(config) {
    const { servePeople } = await import('./serve-people.js');
    if (peopleSettings.of(config).issuers === undefined) return servePeople();
    const { serveTokens } = await import('./tokens/serve-tokens.js');
    return servePeople((grants) => serveTokens(config, grants));
  },
};

function addPeople(program: Command, surroundings: Surroundings): void {
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

function addAccess(program: Command, surroundings: Surroundings): void {
  const access = program
    .command('access')
    .description('explain what roles allow with the records of a database, also while gateways use it')
    .addHelpText('after', examples);

  addCommand(
    access,
    'explain',
    'say whether somebody with roles of the file in ROLES may do something with a record, and why',
    'lockSubmitted',
  )
    .argument('<type>', 'the type of the record, AssetRepair for example')
    .argument('[id]', 'the record; left out for `create`')
    .addOption(new Option('-a, --action <action>', 'what is to be done').choices(ruledActions).default('read'))
    .requiredOption('-r, --role <name>', 'a role of the file; may be repeated', nameList)
    .option('-c, --claims <json>', 'what rules may ask of them: \'{"company": "ACME"}\'')
    .option('-i, --input <json>', 'the fields that `create` or `update` would set: \'{"company": "ACME"}\'')
    .option('--subject <text>', 'what stands for `$subject`: <issuer>|<subject>, or key:<id>')
    .action(async (type: string, id: string | undefined, { role: roles, ...asked }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { explained, explainedText } = await import('./explain/run-access.js');
      const found = await explained(config, { ...asked, type, id, roles });
      printResult(found, explainedText(found));
    });

  addCommand(access, 'diff', 'list the records that another file of roles would show or hide')
    .argument('<old>', 'the file of roles as it is')
    .argument('<new>', 'the file as it would be')
    .requiredOption('--claims <file>', 'a JSON list of callers: [{"claims": {"company": "ACME"}, "subject": "…"}]')
    .action(async (before: string, after: string, { claims }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { compared, comparedText } = await import('./explain/run-access.js');
      const found = await compared(config, { before, after, claims });
      printResult(found, comparedText(found));
    });
}

const examples = `
Examples, with the file of roles in ROLES:
  records access explain AssetRepair asset-repair_01… -r technician -c '{"company": "ACME"}'
  records access diff roles.json roles.new.json --claims callers.json

These commands read every record, whatever roles say.
`;
