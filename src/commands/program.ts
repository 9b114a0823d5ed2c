import { Command } from 'commander';
import { gatewayVersion } from '../http/gateway-version.js';
import { addBackup, addRestore } from './backup.js';
import { addCheck } from './check.js';
import { addConfig } from './config.js';
import { addExport } from './export.js';
import { addImport } from './import.js';
import { addKeys } from './keys/keys-command.js';
import { addMigrate } from './migrate.js';
import { addSeed } from './seed.js';
import { addServe } from './serve.js';
import { helpWidth } from './settings.js';
import type { Surroundings } from './surroundings.js';
import { addTranslate } from './translate.js';
import { addUsage } from './usage.js';
import { addWebhooks } from './webhooks/webhooks-command.js';

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
