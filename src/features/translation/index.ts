/** Calls of REST as operations of GraphQL, and operations as calls. */

import { type Command, Option } from 'commander';
import { CommandError } from '../../cli/command.js';
import { visible } from '../../common/output.js';
import type { Feature, Surroundings } from '../../gateway/feature.js';
import type { Wanted } from './translate-text.js';

export const translation: Feature = { name: 'translation', commands: addTranslate };

const forms = ['graphql', 'curl', 'fetch', 'urql', 'apollo'] as const;

function addTranslate(program: Command, surroundings: Surroundings): void {
  program
    .command('translate')
    .description(
      'turn a curl command into the GraphQL operation that does the same, and an operation into a curl command',
    )
    .argument('[text]', 'a curl command or an operation; read from standard input if it is missing or -', '-')
    .addOption(new Option('-a, --as <form>', 'how to print the operation').choices(forms).default('graphql'))
    .option('-v, --variables <json>', 'the variables of the operation that becomes a curl command')
    .option('-o, --origin <url>', 'the address of the gateway in the printed code', 'http://127.0.0.1:4000')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples)
    .action(async (given: string, { json, ...wanted }: Wanted & { json?: boolean }) => {
      const text = given === '-' ? surroundings.input() : given;
      const { translated } = await import('./translate-text.js');
      const found = await translated(text, wanted, surroundings.features);
      if ('problem' in found) throw new CommandError(found.problem);
      surroundings.print(visible(json ? `${JSON.stringify(found.value, null, 2)}\n` : found.text));
    });
}

const examples = `
The key of a line is never printed: code reads it from API_KEY.

Examples:
  records translate "curl http://127.0.0.1:4000/api/assets/asset-repair?limit=5"
  pbpaste | records translate --as fetch
  records translate '{ assetRepairs(first: 5) { nodes { id } } }'
`;
