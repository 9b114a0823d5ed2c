import {
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  valueFromASTUntyped,
} from 'graphql';
import { fragmentsOf } from '../../common/fragments.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { mostSkipped } from '../../database/sqlite/reads.js';
import { Turns } from '../../database/turns.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { type Resource, singletonId } from '../../model/resource.js';
import type { Scope } from '../../model/scopes.js';
import { cursorOf } from '../cursor.js';
import { byPosition, newestFirst } from '../keyset.js';
import { dialects } from '../sql/dialect.js';
import {
  type CompileContext,
  type CompiledRootField,
  type ReadBoundOf,
  type Rows,
  type RunQuery,
  type StatementTemplate,
  statement,
} from '../sql/statement.js';
import { type Conditions, conditionsOf, hasDirectives } from './conditions.js';
import { type Described, describedFields } from './described-fields.js';
import { filteredList } from './filtered-list.js';
import { nodeField, nodesField } from './node-fields.js';
import { askedId, oneRecord, typeOfOne } from './one-record.js';
import { type PageTemplate, pageTemplateOf, type ResultRow } from './page-template.js';
import { plainListArguments, rowsSql, takesOneMore, totalSql } from './plain-sql.js';
import { answered, answeredAlone, type CompiledField, prepared } from './prepared-fields.js';
import { NotCompilable, type Selected } from './selection.js';
import { coercedVariables, type Variables } from './variables.js';

/** A compiled query: SQL statements that return its JSON. */
export interface CompiledRead {
  /** The record types it reads. A caller who may not read all of them is answered by the resolvers, field by field. */
  resources: ReadonlySet<Resource>;
  /** Scopes that its fields need in addition. */
  scopes: ReadonlySet<Scope>;
  /** The record types to which its filters follow links, whose records a caller must be allowed to read too. */
  filtered(variables: Variables): Iterable<Resource>;
  /**
   * The fields of `data`, each with its JSON text or the database's error. Undefined for arguments that the resolvers
   * must handle, because they are invalid or not compiled. With `atOnce`, the event loop serves no other request
   * between the fields.
   */
  run(variables: Variables, read: RunQuery, atOnce?: 'at once'): MaybePromise<readonly CompiledField[] | undefined>;
}

/** Selects the compiled form for a request's variables; undefined if the resolvers answer. */
export type CompiledQuery = (variables: Variables) => CompiledRead | undefined;

/** The most variants of one operation, by the values of `@include` and `@skip`; the resolvers answer all others. */
const mostVariants = 16;

/** Compiles an operation; undefined if it is not a plain read. */
export function compileOperation(
  schema: GraphQLSchema,
  provider: Provider,
  answerLimit: number,
  { document, definition: operation }: Operation,
): CompiledQuery | undefined {
  if (operation.operation !== OperationTypeNode.QUERY || hasDirectives(operation)) return undefined;
  const fragments = fragmentsOf(document);
  const coerced = coercedVariables(schema, operation);
  const compile = (conditions: Conditions) =>
    compiledRead(
      {
        schema,
        fragments,
        conditions,
        dialect: dialects[provider],
        answerLimit,
        coerced,
        resources: new Set(),
        scopes: new Set(),
        filtered: [],
      },
      operation,
    );

  const conditionsIn = conditionsOf(document, operation);
  if (!conditionsIn) {
    const read = compile({});
    return read && (() => read);
  }
  const variants = new Map<string, CompiledRead | 'not a plain read'>();
  return (variables) => {
    // Coercing all variables also checks those of skipped fields, which nothing else would check.
    const conditions = coerced(variables) && conditionsIn(coerced(variables) ?? {});
    const key = conditions && JSON.stringify(conditions);
    if (key === undefined || (!variants.has(key) && variants.size === mostVariants)) return undefined;
    const read = variants.get(key) ?? compile(conditions ?? {}) ?? 'not a plain read';
    variants.set(key, read);
    return read === 'not a plain read' ? undefined : read;
  };
}

function compiledRead(compiling: CompileContext, operation: OperationDefinitionNode): CompiledRead | undefined {
  try {
    const query = compiling.schema.getQueryType();
    if (!query) return undefined;
    const fields = describedFields(query, [operation.selectionSet], compiling).map((field) => ({
      field,
      answer: compileRootField(compiling, query.name, field),
    }));
    const defaults = Object.fromEntries(
      (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
      ),
    );
    const hasDefaults = Object.keys(defaults).length > 0;
    const complete = (variables: Variables) => (hasDefaults ? { ...defaults, ...variables } : variables);
    return {
      resources: compiling.resources,
      scopes: compiling.scopes,
      filtered: (variables) => {
        if (compiling.filtered.length === 0) return [];
        const given = complete(variables);
        return compiling.filtered.flatMap((linked) => [...linked(given)]);
      },
      run: (variables, read, atOnce) => {
        const given = complete(variables);
        const [only] = fields;
        if (only && fields.length === 1) {
          const textOf = only.answer(given);
          return textOf && answeredAlone({ field: only.field, textOf }, read, compiling.answerLimit);
        }
        const turns = atOnce ? undefined : new Turns();
        return whenResolved(prepared(fields, given, turns), (questions) =>
          questions ? answered(questions, readOnce(read), compiling.answerLimit, turns) : undefined,
        );
      },
    };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
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

/** Compiles the fields of Query that one statement can answer. */

/** @throws NotCompilable */
function compileRootField(compiling: CompileContext, typeName: string, field: Described): CompiledRootField {
  const { answer } = field;
  switch (answer.kind) {
    case 'typename':
      return () => () => JSON.stringify(typeName);
    case 'record':
      return oneRecord(compiling, typeOfOne(field, answer.resource), answer.resource, field, askedId(field));
    case 'singleton':
      return oneRecord(compiling, typeOfOne(field, answer.resource), answer.resource, field, () =>
        singletonId(answer.resource),
      );
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
function compileConnection(compiling: CompileContext, resource: Resource, field: Described): CompiledRootField {
  // Needed even if no record is selected: the count is confidential too.
  compiling.resources.add(resource);
  const frame = pageTemplateOf(compiling, resource, field);
  const chosen = filteredList(compiling, resource, frame, field);
  const choosing = ['where', 'orderBy', 'last', 'before', ...(resource.scope ? ['after'] : [])];
  const asking = frame.needsPrevious ? [...choosing, 'after'] : choosing;
  const isChosen = asking.map((name) => givenIn(field, name));
  if (isChosen.includes('always')) return chosen;
  const plain = plainList(compiling, resource, frame, field);
  return (variables) =>
    isChosen.some((isGiven) => typeof isGiven === 'function' && isGiven(variables))
      ? chosen(variables)
      : plain(variables);
}

/** Whether a request gives the argument a value. */
function givenIn({ nodes: [first] }: Selected, name: string): 'always' | 'never' | ((variables: Variables) => boolean) {
  const value = first?.arguments?.find((argument) => argument.name.value === name)?.value;
  if (!value || value.kind === Kind.NULL) return 'never';
  if (value.kind !== Kind.VARIABLE) return 'always';
  return (variables) => variables[value.name.value] != null;
}

/**
 * All records, newest first, or all lines of one parent. One statement returns a row for each record with its JSON text
 * and, in the same snapshot, the total. `page-template.ts` adds the connection around the records.
 */
function plainList(
  compiling: CompileContext,
  resource: Resource,
  frame: PageTemplate,
  field: Described,
): CompiledRootField {
  const given = plainListArguments(resource, field);
  const total = statement(
    compiling,
    (writing) => `SELECT ${totalSql(writing, resource, given)}`,
    () => 'bounded',
  );
  // Lines are found by position and records by blocks; only after a cursor have rows to be skipped.
  const reachOf: ReadBoundOf = (variables) =>
    given.after(variables) === '' || Number(given.offset(variables)) <= mostSkipped ? 'bounded' : 'unbounded';
  const variants = new Map<boolean, Map<boolean, StatementTemplate>>();
  for (const isAfter of [false, true]) {
    const write = (isOffset: boolean) =>
      statement(compiling, (writing) => rowsSql(writing, resource, frame, given, { isAfter, isOffset }), reachOf);
    variants.set(isAfter, new Map([false, true].map((isOffset) => [isOffset, write(isOffset)])));
  }

  return (variables) => {
    const [size, offset, after] = [given.size(variables), given.offset(variables), given.after(variables)];
    // Checked even if no statement binds them, because invalid values must be refused.
    if (typeof size !== 'number' || typeof offset !== 'number' || after === undefined) return undefined;
    const asked: Asked = { size, offset, isAfter: after !== '' };
    // A page without rows carries no total, so it is read separately; it also shows whether records precede the page.
    const count = total(variables);
    const withoutRows = (read: RunQuery): MaybePromise<string> =>
      count && (frame.needsTotal || (frame.needsPrevious && offset > 0))
        ? whenResolved(count(read), (counted) => pageText(resource, frame, asked, [], counted[0]?.[0]))
        : pageText(resource, frame, asked, [], undefined);
    if (!count) return undefined;
    if (!frame.needsRows) return withoutRows;
    const page = variants.get(asked.isAfter)?.get(offset > 0)?.(variables);
    if (!page) return undefined;
    return (read) =>
      whenResolved(page(read), (rows) =>
        rows.length === 0 ? withoutRows(read) : pageText(resource, frame, asked, rows, rows[0]?.[frame.nodes.length]),
      );
  };
}

interface Asked {
  size: number;
  offset: number;
  isAfter: boolean;
}

function pageText(
  resource: Resource,
  frame: PageTemplate,
  { size, offset, isAfter }: Asked,
  rows: Rows,
  counted: unknown,
): string {
  const cursor = (row: ResultRow) => {
    const [id, idx] = row.slice(frame.nodes.length + 1);
    return cursorOf(resource.scope ? byPosition : newestFirst, { id: String(id), idx: Number(idx) });
  };
  const total = frame.needsTotal ? Number(counted) : undefined;
  if (total !== undefined && !Number.isInteger(total)) throw new Error(`${resource.model}: its count is missing`);
  const hasNext = takesOneMore(frame, isAfter) ? rows.length > size : offset + rows.length < (total ?? 0);
  // Records before a page with `after` are handled by `filtered-list.ts`.
  const hasPrevious = offset > 0 && (rows.length > 0 || Number(counted) > 0);
  return frame.text({ rows: rows.slice(0, size), cursorOf: cursor, hasNext, hasPrevious, total });
}
