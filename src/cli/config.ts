/** `records config`: the settings in force. */
import type { Command } from 'commander';
import { addressForLibpq, withoutPasswords } from '../database/address/postgresql-address.js';
import { settings } from '../gateway/config/config.js';
import { addCommand, contextOf } from './command.js';
import { CommandError } from './failure.js';
import { type GivenSetting, givenSettings } from './settings.js';
import type { Surroundings } from './surroundings.js';

export function addConfig(program: Command, surroundings: Surroundings): void {
  const command: Command = addCommand(
    program,
    'config',
    'show the settings in force and where each comes from; secrets are masked',
    settings().map(({ key }) => key),
  )
    .option(
      '--libpq',
      'print DATABASE_URL as pg_dump and psql take it, without the parameters of the gateway; its password is masked on a terminal only',
    )
    .action(({ libpq = false }) => {
      const given = givenSettings(command, surroundings).map((each) => ({ ...each, value: shownValue(each) }));
      const { config, printResult } = contextOf(command, surroundings);
      if (libpq) return surroundings.print(`${addressFor(config.databaseUrl, surroundings)}\n`);
      const width = Math.max(...given.map(({ setting: { name } }) => name.length));
      printResult(
        given.map(({ setting: { name }, value = null, source }) => ({ name, value, source })),
        given
          .map(({ setting: { name }, value = '-', source }) => `${name.padEnd(width)}  ${value}  (${source})\n`)
          .join(''),
      );
    });
}

/** @throws CommandError for SQLite */
function addressFor(url: string, { printsToTerminal }: Surroundings): string {
  if (url.startsWith('file:'))
    throw new CommandError('DATABASE_URL is an SQLite file, which no program of PostgreSQL takes.');
  const address = addressForLibpq(url);
  return printsToTerminal ? withoutPasswords(address, mask) : address;
}

const mask = '********';

/** The value to show, with the passwords in database URLs masked; undefined if there is none. */
function shownValue({ setting, value }: GivenSetting): string | undefined {
  if (value === undefined || !setting.secret || value.startsWith('file:')) return value;
  if (!/^database(Direct|Read)?Url$/.test(setting.key)) return mask;
  return value
    .split(',')
    .map((address) => withoutPasswords(address, mask))
    .join(',');
}
