/**
 * What an operation selects, without GraphQL. `graphql/operation/selection.ts` makes it: a tree of fields in the order of the
 * answer, with fragments in their places and fields of one name joined (GraphQL specification, 6.3.2). It grows as far as it is
 * looked at, and is kept with the operation. Statements are compiled from it, and guards look into it.
 */
import { oncePer } from '../common/kept.js';
import type { AskedIn } from './asked-record.js';
import type { RecordOperation } from './catalogue.js';
import type { ProblemCode } from './errors/problem.js';
import type { FieldType } from './field.js';
import type { Action, Status } from './lifecycle.js';
import type { Lines, Link, Parent, Resource, WayBack } from './resource.js';
import type { Scope } from './scopes.js';

/** Thrown for an operation that cannot be compiled; the resolvers then answer it. */
export class NotCompilable extends Error {}

/**
 * Values by names that somebody else has chosen, such as the variables of an operation. The object inherits no name, so one
 * that is called `constructor` and has no value is undefined.
 */
export class NamedValues {
  [name: string]: unknown;
}

Object.setPrototypeOf(NamedValues.prototype, null);
Reflect.deleteProperty(NamedValues.prototype, 'constructor');

export type Variables = Readonly<Record<string, unknown>>;
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** A value computed from a request's coerced variables; undefined if the resolvers must handle them. */
export type FromVariables<Value> = (variables: Variables) => Value | undefined;

/** A field of the answer. */
export interface Selection {
  /** Its name in the answer. */
  readonly key: string;
  readonly name: string;
  readonly answer: SqlAnswer;
  /** Whether it returns one object or a list of them; undefined for values, and for objects of several types. */
  readonly form: 'one' | 'one or null' | 'list' | undefined;
  /** The resource whose records it returns. */
  readonly resource: Resource | undefined;
  /** What is selected of the objects that it returns: of those of several types, what is selected of each. */
  readonly fields: readonly Selection[];
  /** The same field for records of one type, where it may return those of several. @throws NotCompilable */
  on(resource: Resource, form: 'one or null' | 'list of nulls'): Selection;
  /** The names of the arguments that the operation gives. */
  readonly given: ReadonlySet<string>;
  /** Whether its arguments are the same in each request. */
  readonly isConstant: boolean;
  /**
   * Makes the reader of its arguments as its resolver gets them: coerced and checked by the same rules, with defaults but for
   * those of new records, which the writer fills in.
   */
  readonly arguments: FromVariables<ArgumentValues>;
  /** Makes the reader of one of them; it gives a symbol if the resolvers would refuse the argument. */
  argument(name: string): (variables: Variables) => unknown;
  /** Whether a request gives the argument a value. */
  gives(name: string): 'always' | 'never' | ((variables: Variables) => boolean);
  /** Converts a stored value of a scalar or an enum to its form in the answer. @throws NotCompilable for other fields */
  serialize(value: unknown): unknown;
}

/** What is selected for certain values of the variables in `@include` and `@skip`. */
export interface SelectionTree {
  readonly fields: readonly Selection[];
  /** Whether it would be another one for other values. */
  readonly isConditional: boolean;
  /** The scopes that the fields looked at so far need in addition to those for the records. */
  readonly scopes: ReadonlySet<Scope>;
}

/** An operation as far as it matters to those who execute it by SQL. Equal texts share a tree while they are cached. */
export interface SelectedOperation {
  readonly kind: 'query' | 'mutation';
  /** Undefined for one that the resolvers must execute. */
  readonly tree: SelectionTree | undefined;
  /** The variables of the request, coerced, with their default values. */
  readonly coerced: Variables;
}

export type ColumnType = FieldType | 'ID' | 'DateTime';

/** What a field answers, as SQL sees it, and of which resource. */
export type SqlAnswer =
  /** Only the resolver of the field knows. */
  | { kind: 'resolver' }
  | { kind: 'typename'; type: string }
  /** Fields of Query: a record by `id`, a singleton, a connection, records of any type. */
  | { kind: 'record'; resource: Resource }
  | { kind: 'singleton'; resource: Resource }
  | { kind: 'list'; resource: Resource }
  | { kind: 'node'; resources: readonly Resource[] }
  | { kind: 'nodes'; resources: readonly Resource[]; askedIn: AskedIn }
  /** Fields of Mutation. SQL answers only requests with these values of the arguments in `onlyWith`. */
  | { kind: 'write'; resource: Resource; operation: WriteOperation; onlyWith?: ArgumentValues }
  /** Fields of a record. */
  | { kind: 'column'; column: string; type: ColumnType; nullable: boolean }
  | { kind: 'status' }
  | { kind: 'allowedActions' }
  | { kind: 'parent'; parent: Parent }
  | { kind: 'link'; link: Link }
  | { kind: 'lines'; lines: Lines }
  | { kind: 'related'; list: Lines | WayBack }
  /** Fields of a connection, its edges and its page info. */
  | { kind: 'page'; part: 'edges' | 'nodes' | 'pageInfo' | 'totalCount' }
  | { kind: 'edge'; part: 'cursor' | 'node' }
  | { kind: 'pageInfo'; part: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' }
  /** Fields of the answer of a mutation, of what it has changed, and of what is wrong. */
  | { kind: 'payload'; part: 'record' | 'records' | 'changes' | 'userErrors' }
  | { kind: 'deleted'; part: 'id' | 'ids' | 'deleted' }
  | { kind: 'userError'; part: keyof UserError }
  | { kind: 'changes'; part: 'fields' | 'lines' }
  | { kind: 'lineChanges'; part: 'list' | 'created' | 'updated' | 'moved' | 'deleted' };

/** An error that a caller can correct, as a mutation returns it in its answer. */
export interface UserError {
  code: ProblemCode;
  /**
   * Names and positions from the argument inwards, such as `['input', 'consumedItems', '2', 'itemCode']`; empty for a
   * problem of another field.
   */
  path: readonly string[];
  /** A sentence for people. */
  message: string;
  /** Where the state of the document does not allow it. */
  currentState?: Status | undefined;
  allowedActions?: Action[] | undefined;
  /** Where the record has another version than was expected. */
  currentVersion?: number | undefined;
}

/** What a mutation does with records, and the operation that determines the access to it. */
export const accessOfWrite = {
  create: 'create',
  update: 'update',
  submit: 'submit',
  cancel: 'cancel',
  delete: 'delete',
  reorder: 'reorder',
  save: 'update',
  createMany: 'create',
  updateMany: 'update',
  deleteMany: 'delete',
} as const satisfies Record<string, RecordOperation>;

export type WriteOperation = keyof typeof accessOfWrite;

/** The field, if it returns records of this resource, or objects of another type, in this form. @throws NotCompilable */
export function required(field: Selection, form: 'one' | 'one or null' | 'list', resource?: Resource): Selection {
  const isOfForm = field.form === form || (form === 'one' && field.form === 'one or null');
  if (!isOfForm || field.resource !== resource) throw new NotCompilable();
  return field;
}

/** Applies `read` to the arguments of a field; undefined if the resolvers would refuse them. */
export function readArguments<Value>(
  field: Selection,
  read: (given: ArgumentValues) => Value | undefined,
): FromVariables<Value> {
  const readAll = field.arguments;
  const given = (variables: Variables): Value | undefined => {
    const values = readAll(variables);
    try {
      return values && read(values);
    } catch {
      return undefined;
    }
  };
  // The variables of a request are one object.
  if (!field.isConstant) return oncePer(given);
  const constant = given({});
  return () => constant;
}

/** Names that may be selected: with anything below them, or with nothing but the names that are given for them. */
type Names = Readonly<{ [name: string]: 'all' | Names }>;

/** What every writer may see of a written record. */
const ofRecord: Names = { id: 'all', recordId: 'all', version: 'all', __typename: 'all' };
/** The same in a payload. */
const acknowledgement: Names = { record: ofRecord, records: ofRecord, userErrors: 'all', __typename: 'all' };

/** What every writer may see of lines after a reorder, if it sent their ids. */
const acknowledgedOrder: Names = {
  records: { id: 'all', recordId: 'all', __typename: 'all' },
  userErrors: 'all',
  __typename: 'all',
};

/** What every writer may see of a deletion: it names nothing but what is gone. */
const deletion: Names = { deletedId: 'all', deleted: 'all', userErrors: 'all', __typename: 'all' };

/** Whether a deletion also returns the parent of what it deletes, as only those may see it who read lines of the type. */
export const returnsParent = (field: Selection): boolean => !selectsOnly(field, deletion);

/** Whether a write returns more of the record than every writer may see. */
export function returnsMore(operation: RecordOperation, args: { ids?: unknown }, field: Selection): boolean {
  switch (operation) {
    case 'retrieve':
    case 'list':
    case 'delete':
      return false;
    case 'reorder':
      return args.ids == null || !selectsOnly(field, acknowledgedOrder);
    default:
      return !selectsOnly(field, acknowledgement);
  }
}

function selectsOnly({ fields }: Selection, names: Names): boolean {
  return fields.every((field) => {
    const below = Object.hasOwn(names, field.name) ? names[field.name] : undefined;
    return below === 'all' || (below !== undefined && selectsOnly(field, below));
  });
}
