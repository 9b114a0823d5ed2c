/** `records access`: why somebody may do something, and what another file of roles would show. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addCommand, contextOf } from '../../../cli/command.js';
import { nameList } from '../../../cli/option-values.js';
import type { Surroundings } from '../../../gateway/feature.js';
import { peopleSettings } from '../people-settings.js';
import type { Named } from './given.js';

export function addAccess(program: Command, surroundings: Surroundings): void {
  const access = program
    .command('access')
    .description('explain what roles allow with the records of a database, also while gateways use it')
    .addHelpText('after', examples);

  addCommand(
    access,
    'explain',
    'say whether somebody with roles may do something with a record, and why',
    'lockSubmitted',
  )
    .argument('<type>', 'the type of the record, AssetRepair for example')
    .argument('[id]', 'the record; left out for `create`')
    .addOption(new Option('-a, --action <action>', 'what is to be done').choices(actions).default('read'))
    .requiredOption('-r, --role <name>', 'a role of the file in ROLES; may be repeated', nameList)
    .option('-c, --claim <name=value>', 'what rules may ask of them; may be repeated', namedValues)
    .option('-s, --set <field=value>', 'what `create` or `update` would set; may be repeated', namedValues)
    .option('--subject <text>', 'what stands for `$subject`: <issuer>|<subject>, or key:<id>')
    .action(async (type: string, id: string | undefined, { action, role: roles, claim, set, subject }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { explained, explainedText } = await import('./run-access.js');
      const asked = { type, id, action, input: set ?? [], as: { roles, claims: claim ?? [], subject } };
      const found = await explained(config, peopleSettings.of(config).roles, asked);
      printResult(found, explainedText(found));
    });

  addCommand(access, 'diff', 'list the records that another file of roles would show or hide')
    .argument('<old>', 'the file of roles as it is')
    .argument('<new>', 'the file as it would be')
    .requiredOption('--claims <file>', 'a JSON list of callers: [{"claims": {"company": "ACME"}, "subject": "…"}]')
    .action(async (before: string, after: string, { claims }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { compared, comparedText } = await import('./compare-roles.js');
      const found = await compared(config, { before, after, claims }, surroundings.printError);
      printResult(found, comparedText(found));
    });
}

const actions = ['read', 'create', 'update', 'submit', 'cancel', 'delete'];

/** `company=ACME`; without `=` there is no value. */
function namedValues(text: string, before: Named[] = []): Named[] {
  const end = text.indexOf('=');
  if (end < 1) throw new InvalidArgumentError('Give a name and a value: company=ACME.');
  return [...before, { name: text.slice(0, end), value: text.slice(end + 1) }];
}

const examples = `
Examples:
  records access explain AssetRepair asset-repair_01… --role technician --claim company=ACME
  records access diff roles.json roles.new.json --claims callers.json

These commands read every record, whatever roles say.
`;
