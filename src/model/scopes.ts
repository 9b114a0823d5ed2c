/**
 * What a key may do. A scope is `<area>:<verb>`, `*` for all of these, `admin` for managing keys, or `webhooks` for
 * managing webhooks. `*` does not include the last two: a leaked key must not be able to create other keys, or to have
 * records sent elsewhere for as long as nobody notices. The scopes that an operation needs follow only from
 * the operation, its resource and its arguments, so they can be checked before any data is read.
 */

import type { Area, RecordOperation } from './catalogue.js';
import { errors } from './errors/errors.js';
import { actionTo } from './lifecycle.js';
import type { Resource } from './resource.js';
import { allResources } from './resources.js';

const verbsInOrder = ['read', 'write', 'submit', 'cancel', 'delete'] as const;
export type Verb = (typeof verbsInOrder)[number];
export type Scope = '*' | (typeof separateScopes)[number] | `${Area}:${Verb}`;

/** The scopes that `*` does not include. */
const separateScopes = ['admin', 'webhooks'] as const;

/** Who has scopes: a key, or a person. */
export interface Holder {
  /** Such as `*`, `admin` or `accounts:read`. */
  scopes: readonly string[];
  /** Why it has none at all, as a sentence. */
  whyNone?: string | undefined;
  keyId?: string;
}

/** Whether an id is that of a person, issuer and subject, and not that of a key. */
export const isPerson = (keyId = ''): boolean => keyId.includes('|');

/**
 * The scopes that an operation needs, all of them: that of its verb, and `read` if a write returns more of the record than
 * its id and version. An update whose `input` sets `status` acts as submit or cancel, and needs their scope too.
 */
export function requiredScopes(
  resource: Resource,
  operation: RecordOperation,
  { input, returnsRecord }: { input?: Readonly<Record<string, unknown>>; returnsRecord?: boolean } = {},
): Scope[] {
  const { area } = resource;
  const scopes: Scope[] = [`${area}:${verbOf[operation]}`];
  const action = operation === 'update' && resource.documentLike ? actionTo(input?.status) : undefined;
  if (action) scopes.push(`${area}:${action}`);
  if (returnsRecord && verbOf[operation] !== 'read') scopes.push(`${area}:read`);
  return scopes;
}

export function mayRead(holder: Holder, { area }: Pick<Resource, 'area'>): boolean {
  return hasScope(holder, `${area}:read`);
}

/**
 * The record types whose changes the key gets: the named ones, or all that it may read. @throws FORBIDDEN if it may not
 * read one of the named types, or no type at all
 */
export function readableAmong(
  holder: Holder,
  resources: readonly Resource[],
  named: readonly string[] | null | undefined,
): Resource[] {
  const wanted = resources.filter((each) => (named ? named.includes(each.model) : mayRead(holder, each)));
  const readsAny = resources.some((each) => mayRead(holder, each));
  const needed = wanted.length === 0 && !readsAny ? resources : wanted;
  requireScopes(holder, [...new Set(needed.flatMap((each) => requiredScopes(each, 'list')))]);
  return wanted;
}

export function hasScope({ scopes }: Holder, scope: Scope): boolean {
  return scopes.includes(scope) || (scopes.includes('*') && !separate.has(scope));
}

/** @throws FORBIDDEN with the missing scopes */
export function requireScopes(holder: Holder, needed: readonly Scope[]): void {
  if (needed.every((scope) => hasScope(holder, scope))) return;
  throw errors.forbidden(
    needed.filter((scope) => !hasScope(holder, scope)),
    isPerson(holder.keyId),
    holder.whyNone,
  );
}

const separate: ReadonlySet<Scope> = new Set(separateScopes);

const verbOf: Record<RecordOperation, Verb> = {
  retrieve: 'read',
  list: 'read',
  create: 'write',
  update: 'write',
  reorder: 'write',
  submit: 'submit',
  cancel: 'cancel',
  delete: 'delete',
};

/** The verbs of each area. A scope that would allow nothing, such as `accounts:submit`, does not exist. */
export const verbsOfArea: ReadonlyMap<Area, readonly Verb[]> = verbsByArea();

export const knownScopes: readonly Scope[] = [
  '*',
  ...separateScopes,
  ...[...verbsOfArea].flatMap(([area, verbs]) => verbs.map((verb): Scope => `${area}:${verb}`)),
];

function verbsByArea(): Map<Area, Verb[]> {
  const used = new Map<Area, Set<Verb>>();
  for (const { area, operations } of allResources) {
    const verbs = used.get(area) ?? new Set();
    for (const operation of operations) verbs.add(verbOf[operation]);
    used.set(area, verbs);
  }
  return new Map([...used].map(([area, verbs]) => [area, verbsInOrder.filter((verb) => verbs.has(verb))]));
}
