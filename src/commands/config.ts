/** `records config`: the settings in force. */
import type { Command } from 'commander';
import { settings } from '../config/config.js';
import { addCommand, contextOf } from './command.js';
import { type GivenSetting, givenSettings } from './settings.js';
import type { Surroundings } from './surroundings.js';

export function addConfig(program: Command, surroundings: Surroundings): void {
  const command: Command = addCommand(
    program,
    'config',
    'show the settings in force and where each comes from; secrets are masked',
    settings().map(({ key }) => key),
  ).action(() => {
    const given = givenSettings(command, surroundings).map((each) => ({ ...each, value: shownValue(each) }));
    const { printResult } = contextOf(command, surroundings);
    const width = Math.max(...given.map(({ setting: { name } }) => name.length));
    printResult(
      given.map(({ setting: { name }, value = null, source }) => ({ name, value, source })),
      given
        .map(({ setting: { name }, value = '-', source }) => `${name.padEnd(width)}  ${value}  (${source})\n`)
        .join(''),
    );
  });
}

const mask = '********';

/** The value to show, with the passwords in database URLs masked; undefined if there is none. */
function shownValue({ setting, value }: GivenSetting): string | undefined {
  if (value === undefined || !setting.secret || value.startsWith('file:')) return value;
  if (!/^database(Direct|Read)?Url$/.test(setting.key)) return mask;
  return setting.key === 'databaseReadUrl' ? value.split(',').map(withoutPassword).join(',') : withoutPassword(value);
}

function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return mask;
  const url = new URL(address);
  if (url.password) url.password = mask;
  // libpq also takes a password as a parameter.
  for (const name of url.searchParams.keys()) if (/password/i.test(name)) url.searchParams.set(name, mask);
  return url.href;
}
