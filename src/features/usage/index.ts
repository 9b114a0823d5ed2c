/** Who calls what, and who still uses deprecated endpoints and fields. */

import type { Command } from 'commander';
import { addCommand, contextOf } from '../../cli/command.js';
import { whenBefore } from '../../cli/option-values.js';
import type { Feature, Surroundings } from '../../gateway/feature.js';
import { usageSettings } from './deprecations.js';

export const usage: Feature = {
  name: 'usage',
  needs: ['keys'],
  settings: usageSettings,
  commands: addUsage,
  served: async () => (await import('./serve-usage.js')).serveUsage(),
};

function addUsage(program: Command, surroundings: Surroundings): void {
  addCommand(
    program,
    'usage',
    'show which key calls what, how often and since when, and what replaces deprecated calls',
    usageSettings,
  )
    .option('-d, --deprecated', 'only deprecated calls and fields')
    .option('-k, --key <id>', 'only the calls of one API key')
    .option('-n, --name <operation>', 'only the calls of one operation')
    .option('-s, --since <when>', 'only calls since then: 30d, 12h, 2026-11-01', whenBefore)
    .action(async ({ deprecated = false, key, name, since }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { reportUsage, usageText } = await import('./report-usage.js');
      const uses = await reportUsage(surroundings.features, config, {
        onlyDeprecated: deprecated,
        keyId: key,
        name,
        since,
      });
      printResult(
        uses.map(({ callable, key: owner, ...use }) => ({
          ...use,
          keyName: owner?.name ?? null,
          call: callable?.call ?? null,
          isDeprecated: callable?.isDeprecated ?? false,
          sunset: callable?.sunset ?? null,
        })),
        usageText(uses),
      );
    });
}
