/** `records config`: the settings in force. */
import type { Command } from 'commander';
import { settings } from '../config.js';
import { addCommand, givenTo } from './command.js';
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
    const { tell } = givenTo(command, surroundings);
    tell(
      given.map(({ setting: { name }, value = null, source }) => ({ name, value, source })),
      given.map(({ setting: { name }, value = '-', source }) => `${name.padEnd(18)}  ${value}  (${source})\n`).join(''),
    );
  });
}

const mask = '********';

/** The value, of a URL all but the password; undefined if there is none. */
function shownValue({ setting, value }: GivenSetting): string | undefined {
  if (value === undefined || !setting.secret || value.startsWith('file:')) return value;
  if (!/^database(Direct)?Url$/.test(setting.key) || !URL.canParse(value)) return mask;
  const url = new URL(value);
  if (url.password) url.password = mask;
  // libpq also takes a password as a parameter.
  for (const name of url.searchParams.keys()) if (/password/i.test(name)) url.searchParams.set(name, mask);
  return url.href;
}
