/** Validates the input for new and rotated API keys. */

import { nearest } from '../../common/nearest.js';
import { type ApiKey, type KeyInput, type Rotation, stateOf } from '../../gateway/access/api-key.js';
import { ENVIRONMENT_KEY } from '../../gateway/access/first-key.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { knownScopes, verbsOfArea } from '../../model/scopes.js';
import { isStorableText } from '../../model/storable.js';

export const longestKeyName = 100;
/** Ninety days, in seconds: a longer overlap would not be a rotation. */
export const longestOverlap = 90 * 24 * 60 * 60;

export function keyProblems({ name, scopes, expiresAt }: KeyInput, now: Date): Problem[] {
  return [...nameProblems(name), ...scopeProblems(scopes), ...endProblems(expiresAt, now)].map((problem) => ({
    ...problem,
    path: ['input', ...problem.path],
  }));
}

export function rotationProblems(key: ApiKey, { overlapSeconds, expiresAt }: Rotation, now: Date): Problem[] {
  return [
    ...(key.id === ENVIRONMENT_KEY
      ? [invalid(['id'], 'is the key of the setting API_KEY; start the gateway with another value to replace it')]
      : []),
    ...(stateOf(key, now.getTime()) === 'active' ? [] : [invalid(['id'], 'is a key that has ended; make a new one')]),
    ...(Number.isInteger(overlapSeconds) && overlapSeconds >= 0 && overlapSeconds <= longestOverlap
      ? []
      : [invalid(['overlapSeconds'], `must be a whole number from 0 to ${longestOverlap}, which is 90 days`)]),
    ...endProblems(expiresAt, now),
  ];
}

/** Anything else may be a secret, so it is refused before an error could quote it. */
export function idProblems(id: string): Problem[] {
  if (id === ENVIRONMENT_KEY || /^brg_[0-9a-z]{12}$/.test(id)) return [];
  return [invalid(['id'], 'must be the id of a key: `brg_` and twelve characters')];
}

/** @throws BAD_USER_INPUT if there are problems */
export function requireNoProblems(problems: Problem[]): void {
  if (problems.length > 0) throw errors.badInput(problems);
}

/** The problems of a name that people choose, such as that of a key. */
export function nameProblems(name: string): Problem[] {
  // Names are printed on terminals, where control characters could do harm.
  const isPlain =
    isStorableText(name) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) && name.trim() !== '' && name.length <= longestKeyName;
  return isPlain ? [] : [invalid(['name'], `must be 1 to ${longestKeyName} characters without control characters`)];
}

/** The first problem also lists all valid scopes. */
function scopeProblems(scopes: readonly string[]): Problem[] {
  const problems = scopes.flatMap((scope, index) =>
    known.has(scope) ? [] : [invalid(['scopes', index], unknownScope(scope))],
  );
  if (scopes.length === 0) problems.push(invalid(['scopes'], 'must name at least one scope'));
  const [first, ...others] = problems;
  if (!first) return [];
  const message = `${`${first.message}.`.replace('?.', '?')} The scopes are ${list}`;
  return [{ ...first, message, details: { knownScopes } }, ...others];
}

function unknownScope(scope: string): string {
  if (!/^[\w*:-]{1,40}$/.test(scope)) return 'is not a scope';
  const meant = nearest(scope, known);
  return `(\`${scope}\`) is not a scope${meant ? `; did you mean \`${meant}\`?` : ''}`;
}

function endProblems(expiresAt: Date | null | undefined, now: Date): Problem[] {
  const isFine = !expiresAt || (expiresAt > now && expiresAt.getUTCFullYear() <= 9999);
  return isFine ? [] : [invalid(['expiresAt'], 'must lie in the future, before the year 10000')];
}

const known: ReadonlySet<string> = new Set(knownScopes);
const areas = [...verbsOfArea].map(([area, verbs]) => `\`${area}:${verbs.join('|')}\``);
const list = ['`*`', '`admin`', '`webhooks`', ...areas].join(', ');

const invalid = (path: Problem['path'], message: string): Problem => ({ path, code: 'parameter_invalid', message });
