/**
 * What a key may do. A scope is `<area>:<verb>`, `*` for all of these, or `admin` for the administration of keys, which
 * `*` does not include: a key that leaks must not be able to make others. What an operation needs follows from the
 * operation, its resource and its arguments alone, so whoever executes one may decide before reading anything.
 */
import type { Area, Operation } from '../catalogue.js';
import type { Identity } from '../context.js';
import { errors } from '../errors.js';
import { type Resource, resources } from '../model/resource.js';
import { type Action, transitions } from '../records/lifecycle.js';

export type Verb = 'read' | 'write' | 'submit' | 'cancel' | 'delete';
export type Scope = '*' | 'admin' | `${Area}:${Verb}`;

/** What is known of an operation beyond its name. */
export interface Use {
  /** The fields an update is to change. */
  input?: Readonly<Record<string, unknown>>;
  /** Whether the answer tells more of the record than its id and version. */
  tellsRecord?: boolean;
}

type Holder = Pick<Identity, 'scopes'>;

/**
 * The scopes an operation needs, all of them: the one of its verb, and `read` where a write answers with the record. An
 * update that sets `status` does what submit or cancel does, and needs what they need.
 */
export function requiredScopes(resource: Resource, operation: Operation, { input, tellsRecord }: Use = {}): Scope[] {
  const verbs = new Set([verbOf[operation]]);
  const action = operation === 'update' && resource.documentLike ? actionTo(input?.status) : undefined;
  if (action) verbs.add(action);
  if (tellsRecord) verbs.add('read');
  return [...verbs].map((verb): Scope => `${resource.area}:${verb}`);
}

/** Whether the key may see records of the resource, by whatever road. */
export function mayRead(holder: Holder, { area }: Pick<Resource, 'area'>): boolean {
  return holds(holder, `${area}:read`);
}

export function holds({ scopes }: Holder, scope: Scope): boolean {
  return scopes.includes(scope) || (scope !== 'admin' && scopes.includes('*'));
}

/** @throws FORBIDDEN, with the scopes that are missing */
export function requireScopes(holder: Holder, needed: readonly Scope[]): void {
  const missing = needed.filter((scope) => !holds(holder, scope));
  if (missing.length > 0) throw errors.forbidden(missing);
}

const verbOf: Record<Operation, Verb> = {
  retrieve: 'read',
  list: 'read',
  create: 'write',
  update: 'write',
  reorder: 'write',
  submit: 'submit',
  cancel: 'cancel',
  delete: 'delete',
};

/** What can be allowed in each area; `accounts:submit`, which would allow nothing, is no scope. */
export const verbsOfArea: ReadonlyMap<Area, readonly Verb[]> = verbsByArea();

/** Every scope there is. */
export const knownScopes: readonly Scope[] = [
  '*',
  'admin',
  ...[...verbsOfArea].flatMap(([area, verbs]) => verbs.map((verb): Scope => `${area}:${verb}`)),
];

function verbsByArea(): Map<Area, Verb[]> {
  const used = new Map<Area, Set<Verb>>();
  for (const { area, operations } of resources) {
    const verbs = used.get(area) ?? new Set();
    for (const operation of operations) verbs.add(verbOf[operation]);
    used.set(area, verbs);
  }
  const inOrder: Verb[] = ['read', 'write', 'submit', 'cancel', 'delete'];
  return new Map([...used].map(([area, verbs]) => [area, inOrder.filter((verb) => verbs.has(verb))]));
}

function actionTo(status: unknown): Action | undefined {
  if (status === transitions.submit.to) return 'submit';
  return status === transitions.cancel.to ? 'cancel' : undefined;
}
