/** The guards of resolvers that need little: of scopes, of links, of arguments, and of what an answer may hold. */

import { setTimeout as sleep } from 'node:timers/promises';
import { queryFromInfo } from '@pothos/plugin-prisma';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLResolveInfo,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { isObject } from '../../common/is-object.js';
import { oncePer } from '../../common/kept.js';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { nextTurn } from '../../database/turns.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import type { Resource } from '../../model/resource.js';
import { requiredScopes, requireScopes, type Scope } from '../../model/scopes.js';
import { returnsMore, type Selection, type Variables } from '../../model/selection.js';
import { inputArgument } from '../../query/arguments.js';
import { everything } from '../../query/condition.js';
import { conditionOf, linkedByFilter } from '../../query/filter.js';
import { readLines } from '../../query/read.js';
import { type AskedOfList, hiddenInList, type Rights } from '../../query/rights.js';
import { type Access, accessOf, type Guard, guardLoad, loadOf, sqlAnswerOf } from '../answered-by-sql.js';
import { argumentProblems } from '../operation/arguments.js';
import { type FieldBelow, fieldsBelow, selectionIn } from '../operation/selection.js';

type Field = GraphQLField<unknown, RequestContext>;

/**
 * Refuses a field with FORBIDDEN if the key lacks its scopes, before its arguments are checked. A key that may write
 * but not read may select the ids and version of what it writes; anything more is refused before anything is written.
 * @throws if a root field has no access: then the gateway cannot start
 */
export const guardScopes: Guard = (field, type, schema) => {
  const access = accessOf(field);
  if (!access && [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type)) {
    throw new Error(`${type.name}.${field.name} does not say who may use it; give it \`...accessed(…)\``);
  }
  if (!access || typeof access === 'string') return undefined;
  return (resolve) => (source, args, context, info) => {
    requireScopes(context.identity, scopesFor(access, args, info));
    return resolve(source, args, context, info);
  };
};

function scopesFor(access: Exclude<Access, string>, args: Arguments, info: GraphQLResolveInfo): Scope[] {
  if ('scope' in access) return [access.scope];
  const { resource } = access;
  const input = inputArgument(args, 'input') ?? {};
  if ('operation' in access) {
    const returnsRecord = returnsMore(access.operation, args, selectionIn(info));
    return requiredScopes(resource, access.operation, { input, returnsRecord });
  }
  // An action that the type does not have is refused with the arguments.
  const action = resource.operations.find((each) => each === args.action) ?? 'update';
  return [...requiredScopes(resource, action, { input }), ...(args.where ? requiredScopes(resource, 'list') : [])];
}

/**
 * The scopes of all that is selected, by links and by filters through them, whether or not a record is linked.
 * @throws GraphQLError for an argument that cannot be coerced
 */
export function scopesBelow(fields: readonly Selection[], variables: Variables): Scope[] {
  return [...fieldsBelow(fields, variables)].flatMap(scopesOfBelow);
}

const scopesOfBelow = ({ definition, arguments: given }: FieldBelow): Scope[] => [
  ...scopesOfField(definition),
  ...scopesOfFilters(definition, given),
];

/** The resource whose records an argument filters or sorts. */
function recordsOf({ type }: GraphQLArgument): { filterOf?: Resource; sortOf?: Resource } {
  const named = getNamedType(type);
  return isInputObjectType(named) ? named.extensions : {};
}

/** The scopes of the record types to which the filters among the arguments follow links. */
function scopesOfFilters({ args }: Pick<Field, 'args'>, given: Readonly<Record<string, unknown>>): Scope[] {
  return args.flatMap((argument) => {
    const [{ filterOf: resource }, filter] = [recordsOf(argument), given[argument.name]];
    if (!resource || !isObject(filter)) return [];
    return [...linkedByFilter(resource, filter)].flatMap((linked) => requiredScopes(linked, 'list'));
  });
}

/** The scopes of a field of a record that has its own. */
function scopesOfField(field: Parameters<typeof accessOf>[0]): Scope[] {
  const access = accessOf(field);
  return access && typeof access !== 'string' && 'operation' in access
    ? requiredScopes(access.resource, access.operation)
    : [];
}

/**
 * Checks the arguments of every field before it is resolved. GraphQL's coercion has checked their types; this refuses
 * what coercion accepts in literals (`1e999`, U+0000, null for a required field). Variables were checked by the same
 * rules at admission. Then it refuses with FORBIDDEN what follows links to records that the key may not read. Links lead
 * to other areas, unlike lines and parents: a filter through them reveals those records, and a mutation must be refused
 * before it writes.
 */
export const guardArguments: Guard = (field, type, schema) => {
  const isMutation = type === schema.getMutationType();
  if (field.args.length === 0 && !isMutation) return undefined;
  // The arguments of a field are the same for each record of a list.
  const known = oncePer((_node: object) => oncePer((_variables: object, find: () => Found) => find()));
  planOnlyRight(field);
  return (resolve) => (source, args, context, info) => {
    const { problems, scopes, lists } = known(info.fieldNodes[0] ?? info)(info.variableValues, () => {
      const below = isMutation ? [...fieldsBelow(selectionIn(info).fields, info.variableValues)] : [];
      const problems = [...argumentProblems(field, args), ...below.flatMap(problemsBelow)];
      if (problems.length > 0) return { problems, scopes: [], lists: [] };
      return {
        problems,
        scopes: [...new Set([...scopesOfFilters(field, args), ...below.flatMap(scopesOfBelow)])],
        lists: [
          ...listsAmong(field, args),
          ...below.flatMap(({ definition, arguments: given }) => listsAmong(definition, given)),
        ],
      };
    });
    if (problems.length > 0) throw errors.badInput(problems);
    requireScopes(context.identity, scopes);
    if (context.identity.rights) requireShown(context.identity.rights, lists);
    return resolve(source, args, context, info);
  };
};

/** @throws FORBIDDEN for a list that is filtered or ordered by what is hidden from the caller */
function requireShown(rights: Rights, lists: readonly AskedList[]): void {
  for (const { resource, where, keys } of lists) {
    const hidden = hiddenInList(rights, resource, { where, keys });
    if (hidden) throw errors.hiddenComparison(hidden);
  }
}

/** By what the arguments of a field filter and order. */
function listsAmong({ args }: Pick<Field, 'args'>, given: Arguments): AskedList[] {
  return args.flatMap((argument) => {
    const { filterOf, sortOf } = recordsOf(argument);
    const value = given[argument.name];
    if (filterOf && isObject(value)) return [{ resource: filterOf, where: conditionOf(filterOf, value), keys: [] }];
    return sortOf && Array.isArray(value) ? [{ resource: sortOf, where: everything, keys: value }] : [];
  });
}

type AskedList = AskedOfList & { resource: Resource };

/** What is wrong with the arguments of a field and of those below it, and the scopes that right ones need. */
interface Found {
  problems: Problem[];
  scopes: Scope[];
  /** What of them filters and orders. */
  lists: AskedList[];
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Pothos reads lines together with their record and computes their query before they are resolved. With arguments that
 * will be refused, they are left out of that query.
 */
function planOnlyRight(field: Field): void {
  const plan = loadOf(field);
  if (typeof plan !== 'function') return;
  const planned = (args: Arguments, ...others: unknown[]): unknown =>
    argumentProblems(field, args).length > 0 ? { select: {} } : plan(args, ...others);
  guardLoad(field, planned);
}

/** The problems of a field below a mutation, each with the path to its argument. */
const problemsBelow = ({ definition, arguments: given, names }: FieldBelow): Problem[] =>
  argumentProblems(definition, given).map((problem) => ({ ...problem, path: [...names, ...problem.path] }));

/** Answers lists of lines whose filter follows links by SQL: Prisma, which reads all others, knows no links. */
export const answerLinkedLines: Guard = (field) => {
  const answer = sqlAnswerOf(field);
  if (answer?.kind !== 'lines') return undefined;
  const { lines } = answer;
  const isLinked = ({ where }: LinesArguments) => isObject(where) && linkedByFilter(lines.resource, where).size > 0;
  const load = loadOf(field);
  if (typeof load === 'function') {
    guardLoad(field, (args: LinesArguments, ...others: unknown[]): unknown =>
      isLinked(args) ? { select: { id: true } } : load(args, ...others),
    );
  }
  return (resolve) => (source, args, context, info) => {
    if (!isLinked(args) || !isRecord(source)) return resolve(source, args, context, info);
    const typeName = lines.resource.model;
    return readLines(context, lines, source.id, args, queryFromInfo({ context, info, typeName, select: { id: true } }));
  };
};

interface LinesArguments {
  where?: unknown;
}

const isRecord = (source: unknown): source is { id: string } => isObject(source) && typeof source.id === 'string';

/** Makes every resolver count its value and its error in the request's meter, if it has one. */
export const countAnswer: Guard = (_field, type, schema) => {
  const isRoot = type === schema.getMutationType();
  return (resolve) => (source, args, context, info) =>
    recoverWith(
      () => {
        context.meter?.value(isRoot);
        return resolve(source, args, context, info);
      },
      (error) => {
        context.meter?.error(isRoot);
        throw error;
      },
    );
};

/**
 * Makes the lists of objects yield to the event loop after each hundred items: the fields of a thousand records take a
 * quarter of a second. All lists of one field count together, because an answer can have thousands of short ones.
 */
export function takeTurns(): Guard {
  return ({ type }) => {
    if (!isListType(getNullableType(type)) || !isCompositeType(getNamedType(type))) return undefined;
    const itemsOf = oncePer((_operation: RequestContext) => new ListItems());
    return (resolve) => (source, args, context, info) =>
      whenResolved<unknown, unknown>(resolve(source, args, context, info), (items) => {
        if (!Array.isArray(items)) return items;
        return itemsOf(context).inTurns<unknown>(items, context.deadline?.signal);
      });
  };
}

/**
 * The most items whose fields are resolved without a turn in between. What they load is loaded together: for a thousand,
 * that would hold the event loop for a tenth of a second.
 */
const together = 100;

/** The items of all lists of one field in an operation. */
export class ListItems {
  #count = 0;
  /** The turn in which the items are resolved that come next. */
  #turn = Promise.resolve();

  /**
   * The items, which wait where there are many; they fail with the reason of `signal` once it is aborted. Not an async
   * generator: where one of its items fails later than the next is asked for, GraphQL leaves that rejection unhandled.
   */
  inTurns<Item>(items: readonly Item[], signal?: AbortSignal): MaybePromise<readonly MaybePromise<Item>[]> {
    expected(items);
    if (this.#count + items.length <= together) {
      this.#count += items.length;
      return items;
    }
    const inTurn = <Value>(value: Value, count: number) =>
      this.#turnFor(count).then(() => {
        signal?.throwIfAborted();
        return value;
      });
    // A short list waits as a whole: a promise for each of 40,000 lines took 150 MB.
    if (items.length <= together) return inTurn(items, items.length);
    const settled = items.map((item) => inTurn(item, 1));
    expected(settled);
    return settled;
  }

  /** The turn of so many more items: another one as soon as a further hundred begins. */
  #turnFor(count: number): Promise<void> {
    const before = this.#count;
    this.#count += count;
    const isFurther = Math.ceil(this.#count / together) > Math.ceil(before / together);
    if (before > 0 && isFurther) this.#turn = turnAfter(this.#turn);
    return this.#turn;
  }
}

/** What the items before load is sent in a timer, and a later timer of the same time comes after it. */
async function turnAfter(before: Promise<void>): Promise<void> {
  await before;
  await sleep(0);
  await nextTurn();
}

/**
 * Marks rejections as handled: items may fail before they are awaited, or when they are no longer awaited. Awaiting one
 * still throws.
 */
function expected(items: readonly unknown[]): void {
  for (const item of items) if (item instanceof Promise) item.catch(() => undefined);
}
