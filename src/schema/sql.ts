/**
 * How SQL answers a field. It is said where the field is made, in its extensions, and the compiler reads nothing else: a
 * field that does not say it is answered by its resolver. What is said stands for one resolver. Whoever replaces or wraps
 * the resolver later makes it void, without knowing of it; only the gateway's own guards, which compiled operations are
 * asked too, keep it (`guardResolver`).
 */
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isScalarType,
  specifiedScalarTypes,
} from 'graphql';
import type { RequestContext } from '../context.js';
import type { Lines, Parent, Resource } from '../model/resource.js';
import type { Column } from './columns.js';

/** What a mutation does with records. */
export type WriteOperation =
  | 'create'
  | 'update'
  | 'submit'
  | 'cancel'
  | 'delete'
  | 'reorder'
  | 'save'
  | 'createMany'
  | 'updateMany'
  | 'deleteMany';

export type SqlAnswer =
  /** Of Query: one record by its `id`, the one of a singleton, a connection, records of whatever type. */
  | { kind: 'record'; resource: Resource }
  | { kind: 'singleton'; resource: Resource }
  | { kind: 'list'; resource: Resource }
  | { kind: 'node' }
  | { kind: 'nodes' }
  /** Of Mutation; `onlyWith` are arguments with which it is answered only where they have these values. */
  | { kind: 'write'; resource: Resource; operation: WriteOperation; onlyWith?: Readonly<Record<string, unknown>> }
  /** Of a record. */
  | { kind: 'column'; column: string; type: ColumnType; nullable: boolean }
  | { kind: 'allowedActions' }
  | { kind: 'parent'; parent: Parent }
  | { kind: 'lines'; lines: Lines }
  /** Of a connection, of its edges, and of its page info. */
  | { kind: 'page'; part: 'edges' | 'nodes' | 'pageInfo' | 'totalCount' }
  | { kind: 'edge'; part: 'cursor' | 'node' }
  | { kind: 'pageInfo'; part: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' };

export type ColumnType = Column['type'];

type Field = GraphQLField<unknown, RequestContext>;
type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

interface Said {
  answer: SqlAnswer;
  /** The arguments that are answered. A field that has any other, or a default for one, is left to its resolver. */
  arguments: readonly string[];
  /** The resolver that gives the same answer; none until the schema is built. */
  resolve?: Resolver;
}

/** For the extensions of a field. */
export const answeredBySql = (answer: SqlAnswer, known: readonly string[] = []): { sql: Said } => ({
  sql: { answer, arguments: known },
});

/** How SQL answers a field, where it gives the answer of the resolver that the field has now. */
export function sqlAnswerOf(field: Field): SqlAnswer | undefined {
  const said = saidOf(field);
  if (!said?.resolve || said.resolve !== resolverOf(field)) return undefined;
  const { answer } = said;
  const onlyWith = (answer.kind === 'write' && answer.onlyWith) || {};
  const isKnown = field.args.every(
    ({ name, defaultValue }) =>
      Object.hasOwn(onlyWith, name) || (said.arguments.includes(name) && defaultValue === undefined),
  );
  return isKnown ? answer : undefined;
}

/** Says that what is said of the field stands for the resolver it has now. */
export function stateResolver(field: Field): void {
  const said = saidOf(field);
  if (said) field.extensions = { ...field.extensions, sql: { ...said, resolve: resolverOf(field) } };
}

/** Puts a guard around a field's resolver. Compiled operations must be asked the same: they are still taken. */
export function guardResolver(field: Field, guard: (resolve: Resolver) => Resolver): void {
  const isAnswered = sqlAnswerOf(field) !== undefined;
  field.resolve = guard(resolverOf(field));
  if (isAnswered) stateResolver(field);
}

/** For the extensions of an object type. */
export const typeOfRecord = (resource: Resource): { record: Resource } => ({ record: resource });

/** The resource whose records the type shows; undefined where it shows something else, or asks if it may. */
export function recordOf({ extensions, isTypeOf }: GraphQLObjectType): Resource | undefined {
  const { record }: { record?: Resource } = extensions;
  return isTypeOf ? undefined : record;
}

/** Says that records name their type themselves, as long as the interface has the resolver it has now. */
export function stateTypeResolver(type: GraphQLInterfaceType): void {
  type.extensions = { ...type.extensions, sql: { resolveType: type.resolveType } };
}

export function isNamedByRecords({ extensions, resolveType }: GraphQLInterfaceType): boolean {
  const { sql }: { sql?: { resolveType?: unknown } } = extensions;
  return sql !== undefined && sql.resolveType === resolveType;
}

/** For the extensions of a scalar of which SQL writes the columns itself, as `serialize` writes their values. */
export const writtenBySql = (type: ColumnType, serialize: (value: Date) => string) => ({ sql: { type, serialize } });

/** The type of the columns that SQL writes as the leaf type does; undefined where it writes none so. */
export function columnTypeOf(output: GraphQLOutputType): ColumnType | undefined {
  const type = getNullableType(output);
  if (!isScalarType(type)) return undefined;
  const { sql }: { sql?: { type: ColumnType; serialize: unknown } } = type.extensions;
  const known = sql ?? specified.get(type.name);
  return known?.serialize === type.serialize ? known.type : undefined;
}

const columnTypes: readonly ColumnType[] = ['String', 'ID', 'Int', 'Float', 'Boolean'];

/** As GraphQL itself has them: a schema may have scalars of its own with these names. */
const specified = new Map(
  specifiedScalarTypes.flatMap(({ name, serialize }) =>
    columnTypes.filter((type) => type === name).map((type) => [name, { type, serialize }] as const),
  ),
);

const saidOf = ({ extensions }: { extensions: { sql?: Said } }): Said | undefined => extensions.sql;

const resolverOf = ({ resolve }: Field): Resolver => resolve ?? defaultFieldResolver;
