/**
 * Answers queries by SQL. An operation is compiled once, when it is first seen; SQL for filters and orders is written
 * for each request. Whatever is not compiled is answered by the resolvers, which define the right answer.
 */
import type { Bytes } from '../../common/bytes.js';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { answerLimitIn } from '../../database/answer-limit.js';
import { databaseProblem } from '../../database/database-problem.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { SeenDatabase } from '../../database/open-database.js';
import { Turns } from '../../database/turns.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { type Resource, singletonId } from '../../model/resource.js';
import { type Holder, hasScope, mayRead } from '../../model/scopes.js';
import {
  NotCompilable,
  required,
  type SelectedOperation,
  type Selection,
  type SelectionTree,
  type Variables,
} from '../../model/selection.js';
import { hiddenInList, type Rights } from '../rights.js';
import { dialects } from '../sql/dialect.js';
import { AnswerRoom } from '../sql/sizes.js';
import {
  type CompileContext,
  type CompiledRootField,
  compiledOnce,
  type Rows,
  type RunQuery,
  runInOrder,
} from '../sql/statement.js';
import { askedId, nodeField, nodesField, oneRecord } from './by-id.js';
import { chosenList } from './chosen-list.js';
import { pageTemplateOf } from './page-template.js';
import { plainList } from './plain-list.js';

/** Who asks: with scopes, and with what roles allow. */
export interface Asker extends Holder {
  rights?: Rights | undefined;
}

/** What a read needs of its request; `standby` reads from a hot standby that has all that the request has to see. */
interface ReadContext {
  database: Pick<SeenDatabase, 'read' | 'limit'>;
  standby?: RunQuery | undefined;
  identity: Asker;
  log: { warn(details: object, message: string): void };
}

/** Makes what answers an operation: the fields of its `data`; undefined if the resolvers must answer. */
export const createCompiledReads =
  (readOf: ReadOf) =>
  (
    operation: SelectedOperation,
    { database, standby, identity, log }: ReadContext,
  ): MaybePromise<readonly CompiledField[] | undefined> => {
    const { read: primary } = database;
    const read = primary && (standby ?? primary);
    const compiled = read && readOf(operation);
    const variables = operation.coerced;
    if (!compiled || !mayAsk(compiled, variables, identity)) return undefined;
    return whenResolved(compiled.run(variables, read), (fields) => {
      const unforeseen = fields?.find(({ error }) => error !== undefined && !isForeseen(error));
      if (!unforeseen) return fields;
      // The database cannot run the statement, for example because it is too large.
      log.warn({ err: unforeseen.error }, 'A compiled read failed; the resolvers answer');
      return undefined;
    });
  };

/** Whether the caller may read all that a query selects. */
export function mayAsk({ resources, scopes, filtered }: CompiledRead, variables: Variables, identity: Asker): boolean {
  for (const resource of resources) if (!mayRead(identity, resource)) return false;
  const { rights } = identity;
  for (const { resource, list } of filtered) {
    const asked = list(variables);
    if (!asked) continue;
    for (const each of asked.linked) if (!mayRead(identity, each)) return false;
    if (rights && hiddenInList(rights, resource, asked)) return false;
  }
  for (const scope of scopes) if (!hasScope(identity, scope)) return false;
  return true;
}

/**
 * Whether the resolvers would get the same error: the database is busy, unreachable or too slow, or the answer is too
 * large. The error is then the answer, because asking again would double the load when that hurts most.
 */
const isForeseen = (error: unknown): boolean =>
  error instanceof GatewayError || answerLimitIn(error) !== undefined || databaseProblem(error) !== undefined;

/** A compiled query: SQL statements that return its JSON. */
export type CompiledRead = ReturnType<typeof compileRead>;

/** The compiled form of a query; undefined if the resolvers must execute it. */
export type ReadOf = (operation: SelectedOperation) => CompiledRead | undefined;

export const compiledReadsOf = (provider: Provider, answerLimit: number): ReadOf =>
  compiledOnce('query', (tree) => compileRead(provider, answerLimit, tree));

/** @throws NotCompilable if it is not a plain read */
function compileRead(provider: Provider, answerLimit: number, tree: SelectionTree) {
  const compiling: CompileContext = { dialect: dialects[provider], answerLimit, resources: new Set(), filtered: [] };
  const fields = tree.fields.map((field) => ({ field, answer: compileRootField(compiling, field) }));
  const [only] = fields;
  return {
    ...compiling,
    /** Scopes that its fields need in addition. A caller who lacks any is answered by the resolvers, field by field. */
    scopes: tree.scopes,
    /**
     * The fields of `data`, each with its JSON text or the database's error. Undefined for arguments that the resolvers
     * must handle, because they are invalid or not compiled. With `atOnce`, the event loop serves no other request
     * between the fields.
     */
    run: (
      variables: Variables,
      read: RunQuery,
      atOnce?: 'at once',
    ): MaybePromise<readonly CompiledField[] | undefined> => {
      // Most have one field, and are answered without lists.
      if (only && fields.length === 1) {
        const textOf = only.answer(variables);
        const answer = answering(read, answerLimit);
        return textOf && whenResolved(answer({ field: only.field, textOf }), (outcome) => [outcome]);
      }
      const turns = atOnce ? undefined : new Turns();
      return whenResolved(prepared(fields, variables, turns), (questions) => {
        const answer = answering(readOnce(read), answerLimit);
        const asks = questions?.map((question) => () => answer(question));
        return asks && runInOrder(asks, turns);
      });
    },
  };
}

/** @throws NotCompilable for a field that no statement can answer */
function compileRootField(compiling: CompileContext, field: Selection): CompiledRootField {
  const { answer } = field;
  switch (answer.kind) {
    case 'typename':
      return () => () => JSON.stringify(answer.type);
    case 'record':
    case 'singleton': {
      const { resource } = answer;
      const id = answer.kind === 'record' ? askedId(field) : () => singletonId(resource);
      return oneRecord(compiling, resource, required(field, 'one or null', resource), id);
    }
    case 'list':
      return compileConnection(compiling, answer.resource, field);
    case 'node':
      return nodeField(compiling, field, answer.resources);
    case 'nodes':
      return nodesField(compiling, field, answer.resources, answer.askedIn);
    default:
      throw new NotCompilable();
  }
}

/**
 * A list field. A list without filter, order or `last` is plain: its statements are written once. Clients often declare
 * all arguments and pass only a few, so the variables of each request decide.
 */
function compileConnection(compiling: CompileContext, resource: Resource, field: Selection): CompiledRootField {
  // Needed even if no record is selected: the count is confidential too.
  compiling.resources.add(resource);
  const frame = pageTemplateOf(compiling, resource, field);
  const chosen = chosenList(compiling, resource, frame, field);
  const choosing = ['where', 'orderBy', 'last', 'before', ...(resource.scope ? ['after'] : [])];
  const asking = frame.needsPrevious ? [...choosing, 'after'] : choosing;
  const isChosen = asking.map((name) => field.gives(name));
  if (isChosen.includes('always')) return chosen;
  const plain = plainList(compiling, resource, frame, field, chosen);
  return (variables) =>
    isChosen.some((isGiven) => typeof isGiven === 'function' && isGiven(variables))
      ? chosen(variables)
      : plain(variables);
}

/**
 * Runs a statement only once for the same values: all fields of an operation that ask the same share the rows. So a
 * record under 39 aliases takes no more time of the database and no more memory than under one.
 */
function readOnce(read: RunQuery): RunQuery {
  const known = new Map<string, { values: readonly (string | number)[]; rows: MaybePromise<Rows> }[]>();

  return (sql, values, reach) => {
    const asked = known.get(sql) ?? [];
    const same = asked.find((one) => one.values.every((value, index) => value === values[index]));
    if (same) return same.rows;
    const rows = read(sql, values, reach);
    asked.push({ values, rows });
    known.set(sql, asked);
    return rows;
  };
}

// The fields of an operation: all are prepared, then they are read in order, up to the limit of the answer.

/** A field whose statements are written. */
interface PreparedField {
  field: Selection;
  textOf(read: RunQuery): MaybePromise<Bytes>;
}

/**
 * Prepares all fields before the first is read; undefined if the resolvers must answer one. A hundred fields with a
 * thousand values each take 0.3 s, so the event loop serves other requests in between.
 */
function prepared(
  fields: readonly { field: Selection; answer: CompiledRootField }[],
  variables: Variables,
  turns: Turns | undefined,
  there: readonly PreparedField[] = [],
): MaybePromise<readonly PreparedField[] | undefined> {
  const all = [...there];
  for (const { field, answer } of fields.slice(there.length)) {
    const due = turns?.due();
    if (due) return due.then(() => prepared(fields, variables, turns, all));
    const textOf = answer(variables);
    if (!textOf) return undefined;
    all.push({ field, textOf });
  }
  return all;
}

/**
 * Reads fields one after another. Once their answers exceed `limit` bytes, no further field is read. A database error is the
 * answer of its field: asking again by another way would not help.
 */
function answering(read: RunQuery, limit: number): (prepared: PreparedField) => MaybePromise<CompiledField> {
  const room = new AnswerRoom(limit);
  return ({ field, textOf }) => {
    const { key } = field;
    return recoverWith<CompiledField>(
      () => {
        room.take(0);
        return whenResolved(textOf(read), (text) => {
          room.take(text.length);
          return { key, field, text };
        });
      },
      (error) => ({ key, field, text: undefined, error }),
    );
  };
}

/** A field in the answer of a compiled operation. */
export interface CompiledField {
  /** The response name. */
  key: string;
  /** Where an error of it is located. */
  field: Selection;
  /** The JSON text of its value; undefined if it failed. */
  text: Bytes | undefined;
  /** Why it failed. */
  error?: unknown;
}
