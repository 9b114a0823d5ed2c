/** `records access`: why somebody may do something, and what another file of roles would show. */
import { type Command, Option } from 'commander';
import { addCommand, contextOf } from '../../../cli/command.js';
import { nameList } from '../../../cli/option-values.js';
import type { Surroundings } from '../../../gateway/feature.js';
import { ruledActions } from '../../../query/rights.js';

export function addAccess(program: Command, surroundings: Surroundings): void {
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
      const { explained, explainedText } = await import('./run-access.js');
      const found = await explained(config, { ...asked, type, id, roles });
      printResult(found, explainedText(found));
    });

  addCommand(access, 'diff', 'list the records that another file of roles would show or hide')
    .argument('<old>', 'the file of roles as it is')
    .argument('<new>', 'the file as it would be')
    .requiredOption('--claims <file>', 'a JSON list of callers: [{"claims": {"company": "ACME"}, "subject": "…"}]')
    .action(async (before: string, after: string, { claims }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { compared, comparedText } = await import('./run-access.js');
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
