/** Formats keys for a terminal. */

import { shownInstant } from '../../cli/time.js';
import { type ApiKey, type CreatedKey, stateOf } from '../../gateway/access/api-key.js';

/** A new key with its secret, which is shown only once. */
export function createdText({ apiKey, secret }: CreatedKey, what: string): string {
  return `${what} ${apiKey.id}, "${apiKey.name}".

  scopes   ${apiKey.scopes.join(' ')}
  expires  ${instantOr(apiKey.expiresAt, 'never')}
  secret   ${secret}

The secret is shown only this once; only its hash is kept.
`;
}

/** A table with a heading and one line for each key. */
export function keyListText(keys: readonly ApiKey[]): string {
  if (keys.length === 0) return 'There is no key. `records keys create --help` says how to make one.\n';
  const rows = keys.map((key) => [
    key.id,
    stateOf(key),
    instantOr(key.lastUsedAt, 'never'),
    instantOr(key.expiresAt, 'never'),
    key.scopes.join(' '),
    key.name,
  ]);
  const lines = [['id', 'state', 'last used', 'expires', 'scopes', 'name'], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) => `${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
    .concat('\n');
}

const instantOr = (instant: Date | null, otherwise: string): string => (instant ? shownInstant(instant) : otherwise);
