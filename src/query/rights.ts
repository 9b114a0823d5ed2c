/** What the roles of a caller allow with records of each type: rules about rows, and hidden fields. */
import type { RecordOperation } from '../model/catalogue.js';
import type { Resource } from '../model/resource.js';
import type { Condition } from './condition.js';

export const ruledActions = ['read', 'create', 'update', 'delete', 'submit', 'cancel'] as const;

export type RuledAction = (typeof ruledActions)[number];

export const ruledActionOf: Record<RecordOperation, RuledAction> = {
  retrieve: 'read',
  list: 'read',
  create: 'create',
  update: 'update',
  reorder: 'update',
  delete: 'delete',
  submit: 'submit',
  cancel: 'cancel',
};

/**
 * The rights of a caller with roles. Only the access feature makes them, once for all callers that may do the same. A caller
 * without roles has none, and is limited by its scopes alone.
 */
export interface Rights {
  /**
   * The condition that a record of the type has to fulfil: before the action, and after it too. That of reading is a part of
   * that of each other action. It compares the record's own columns only; `never` where no role allows the action, and for
   * lines whose document is held here, which follow that document.
   */
  rule(resource: Resource, action: RuledAction): Condition;
  /** The fields that a type hides: null for the caller, and neither to be written nor to be asked for. */
  hidden(resource: Resource): ReadonlySet<string>;
  /** The same for the same rights, and for no others. */
  readonly digest: string;
}

/** The text by which rules and `createdBy` name a caller: `key:` with the id of a key; a person's id is issuer and subject. */
export const subjectOf = ({ keyId }: { keyId: string }): string => (keyId.includes('|') ? keyId : `key:${keyId}`);

/** A hidden field that a condition compares, at any depth, and the type that hides it; undefined if there is none. */
export function hiddenIn(
  rights: Rights,
  resource: Resource,
  condition: Condition,
): { model: string; field: string } | undefined {
  if ('of' in condition) return condition.of.map((each) => hiddenIn(rights, resource, each)).find(Boolean);
  const field = condition.kind === 'link' ? condition.to.text : 'field' in condition ? condition.field : undefined;
  if (field !== undefined && rights.hidden(resource).has(field)) return { model: resource.model, field };
  return 'to' in condition ? hiddenIn(rights, condition.to.resource, condition.condition) : undefined;
}

/** By what a list is filtered and ordered. */
export interface AskedOfList {
  where: Condition;
  keys: readonly { field: string }[];
}

/** The same of a list: a hidden field by which it is filtered or ordered. */
export function hiddenInList(
  rights: Rights,
  resource: Resource,
  { where, keys }: AskedOfList,
): ReturnType<typeof hiddenIn> {
  const key = keys.find(({ field }) => rights.hidden(resource).has(field));
  return hiddenIn(rights, resource, where) ?? (key && { model: resource.model, field: key.field });
}
