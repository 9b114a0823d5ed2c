/**
 * How SQL answers a field. The description stands where the field is made, in its extensions, and the compiler reads nothing
 * else: a field without one is answered by its resolver.
 *
 * A description holds for one resolver. Once the resolver is replaced or wrapped, by whomever, the description no longer
 * holds and the resolver answers. Only the gateway's own guards may wrap a resolver and keep its description
 * (`guardResolver`), because compiled operations are asked the same as they ask.
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
import type { WriteOperation } from './write-operation.js';

export type SqlAnswer =
  /** Of Query: one record by its `id`, a singleton's only record, a connection, records of any type by their ids. */
  | { kind: 'record'; resource: Resource }
  | { kind: 'singleton'; resource: Resource }
  | { kind: 'list'; resource: Resource }
  | { kind: 'node' }
  | { kind: 'nodes' }
  /** Of Mutation. SQL answers only requests that give the arguments in `onlyWith` these values. */
  | { kind: 'write'; resource: Resource; operation: WriteOperation; onlyWith?: Readonly<Record<string, unknown>> }
  /** Of a record. */
  | { kind: 'column'; column: string; type: ColumnType; nullable: boolean }
  | { kind: 'allowedActions' }
  | { kind: 'parent'; parent: Parent }
  | { kind: 'lines'; lines: Lines }
  /** Of a connection, of its edges, and of its page info. */
  | { kind: 'page'; part: 'edges' | 'nodes' | 'pageInfo' | 'totalCount' }
  | { kind: 'edge'; part: 'cursor' | 'node' }
  | { kind: 'pageInfo'; part: 'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor' }
  /** Of what a delete answers, of the payload of a save, and of what that has changed. */
  | { kind: 'deleted'; part: 'id' | 'deleted' }
  | { kind: 'saved'; part: 'record' | 'changes' }
  | { kind: 'changes'; part: 'fields' | 'lines' }
  | { kind: 'lineChanges'; part: 'list' | 'created' | 'updated' | 'moved' | 'deleted' };

export type ColumnType = Column['type'];

type Field = GraphQLField<unknown, RequestContext>;
type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

interface Description {
  answer: SqlAnswer;
  /** The arguments that SQL knows. A field that has any other, or a default for one, is left to its resolver. */
  arguments: readonly string[];
  /** The resolver that gives the same answer; undefined until the schema is built. */
  resolve?: Resolver;
}

/** For the extensions of a field. */
export const answeredBySql = (answer: SqlAnswer, known: readonly string[] = []): { sql: Description } => ({
  sql: { answer, arguments: known },
});

/** How SQL answers a field. Undefined where it has no description, or another resolver or other arguments than described. */
export function sqlAnswerOf(field: Field): SqlAnswer | undefined {
  const description = descriptionOf(field);
  if (!description?.resolve || description.resolve !== resolverOf(field)) return undefined;
  const { answer } = description;
  const onlyWith = (answer.kind === 'write' && answer.onlyWith) || {};
  const isKnown = field.args.every(
    ({ name, defaultValue }) =>
      Object.hasOwn(onlyWith, name) || (description.arguments.includes(name) && defaultValue === undefined),
  );
  return isKnown ? answer : undefined;
}

/** Binds the description of a field, if it has one, to the resolver it has now. */
export function bindToResolver(field: Field): void {
  const description = descriptionOf(field);
  if (description) field.extensions = { ...field.extensions, sql: { ...description, resolve: resolverOf(field) } };
}

/** Wraps the resolver of a field in a guard. The description stays: compiled operations must be asked the same. */
export function guardResolver(field: Field, guard: (resolve: Resolver) => Resolver): void {
  const isAnswered = sqlAnswerOf(field) !== undefined;
  field.resolve = guard(resolverOf(field));
  if (isAnswered) bindToResolver(field);
}

/** For the extensions of an object type. */
export const typeOfRecord = (resource: Resource): { record: Resource } => ({ record: resource });

/** The resource whose records the type shows; undefined where it shows something else, or checks values by `isTypeOf`. */
export function recordOf({ extensions, isTypeOf }: GraphQLObjectType): Resource | undefined {
  const { record }: { record?: Resource } = extensions;
  return isTypeOf ? undefined : record;
}

/** Notes that the interface takes the type that a record names, as long as it has the type resolver it has now. */
export function bindToTypeResolver(type: GraphQLInterfaceType): void {
  type.extensions = { ...type.extensions, sql: { resolveType: type.resolveType } };
}

export function isNamedByRecords({ extensions, resolveType }: GraphQLInterfaceType): boolean {
  const { sql }: { sql?: { resolveType?: unknown } } = extensions;
  return sql !== undefined && sql.resolveType === resolveType;
}

/** For the extensions of a scalar: SQL writes columns of the type as `serialize` writes their values. */
export const writtenBySql = (type: ColumnType, serialize: (value: Date) => string) => ({ sql: { type, serialize } });

/** The type of column that SQL writes exactly as the scalar serializes it; undefined where there is none. */
export function columnTypeOf(output: GraphQLOutputType): ColumnType | undefined {
  const type = getNullableType(output);
  if (!isScalarType(type)) return undefined;
  const { sql }: { sql?: { type: ColumnType; serialize: unknown } } = type.extensions;
  const known = sql ?? specified.get(type.name);
  return known?.serialize === type.serialize ? known.type : undefined;
}

const columnTypes: readonly ColumnType[] = ['String', 'ID', 'Int', 'Float', 'Boolean'];

/** As GraphQL defines them: a schema may define scalars of its own with these names. */
const specified = new Map(
  specifiedScalarTypes.flatMap(({ name, serialize }) =>
    columnTypes.filter((type) => type === name).map((type) => [name, { type, serialize }] as const),
  ),
);

const descriptionOf = ({ extensions }: { extensions: { sql?: Description } }): Description | undefined =>
  extensions.sql;

const resolverOf = ({ resolve }: Field): Resolver => resolve ?? defaultFieldResolver;
