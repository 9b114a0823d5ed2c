import { Command } from 'commander';
import { addBackup, addRestore } from '../features/backup/backup-command.js';
import { addCheck } from '../features/check/check-command.js';
import { addKeys } from '../features/keys/keys-command.js';
import { addExport } from '../features/transfer/export-command.js';
import { addImport } from '../features/transfer/import-command.js';
import { addSeed } from '../features/transfer/seed-command.js';
import { addTranslate } from '../features/translation/translate-command.js';
import { addUsage } from '../features/usage/usage-command.js';
import { addWebhooks } from '../features/webhooks/commands/webhooks-command.js';
import { gatewayVersion } from '../gateway/http/gateway-version.js';
import { addConfig } from './config.js';
import { addMigrate } from './migrate.js';
import { addServe } from './serve.js';
import { helpWidth } from './settings.js';
import type { Surroundings } from './surroundings.js';

const commands = [
  addServe,
  addMigrate,
  addKeys,
  addWebhooks,
  addConfig,
  addCheck,
  addBackup,
  addRestore,
  addExport,
  addImport,
  addSeed,
  addUsage,
  addTranslate,
];

/** The command line `records`. What a command does is loaded when it is asked for. */
export function recordsProgram(surroundings: Surroundings): Command {
  const program = new Command('records')
    .description('Business Records Gateway: business records over GraphQL and REST.')
    .version(gatewayVersion(), '-V, --version', 'print the version')
    .configureOutput({ writeOut: surroundings.print, writeErr: surroundings.printError, outputError: () => {} })
    .configureHelp({ helpWidth })
    .exitOverride();
  for (const add of commands) add(program, surroundings);
  return program.addHelpText('after', notes);
}

const notes = `
A setting is taken from its flag, from the environment variable in brackets, or from the file .env
in the current folder, in this order. Without a command, \`records\` serves.

Exit codes: 0 done; 1 failed; 2 the arguments or the settings are wrong, and nothing was attempted;
3 a command that looks for problems has found some.
`;
