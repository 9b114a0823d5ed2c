/**
 * How SQL answers a field. The description is part of the field's extensions, and the compiler uses nothing else: a
 * field without a description is answered by its resolver.
 *
 * A description belongs to one resolver, and to what Prisma's plugin loads for it. Replacing or wrapping either
 * invalidates it. Only the gateway's own guards may wrap them and keep the description (`guardResolver`, `guardLoad`),
 * because they also apply to compiled operations.
 */
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  type GraphQLUnionType,
  getNullableType,
  isObjectType,
  isScalarType,
  specifiedScalarTypes,
} from 'graphql';
import type { RequestContext } from '../change/context.js';
import type { RecordOperation } from '../model/catalogue.js';
import type { Resource } from '../model/resource.js';
import type { Scope } from '../model/scopes.js';
import type { ColumnType, SqlAnswer } from '../model/selection.js';
import type { weighed } from './limits/cost-parts.js';

type Field = GraphQLField<unknown, RequestContext>;
type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/** A field of a schema, or one that is being built. */
interface Described {
  extensions?: { sql?: Description } | null | undefined;
  resolve?: Resolver | undefined;
}

interface Description {
  answer: SqlAnswer;
  /**
   * The arguments that SQL supports. A field with any other argument, or with a default, is answered by its resolver.
   */
  arguments: readonly string[];
  /** The arguments that SQL leaves to the resolver, where they are given. */
  left: readonly string[];
  /** The resolver that gives the same answer; undefined until the schema is built. */
  resolve?: unknown;
  /** What Prisma's plugin loads for that resolver. */
  load?: unknown;
}

/** The extensions of a field that SQL can answer, except where one of the arguments `left` is given. */
export const answeredBySql = (
  answer: SqlAnswer,
  known: readonly string[] = [],
  left: readonly string[] = [],
): { sql: Description } => ({ sql: { answer, arguments: known, left } });

/**
 * How SQL answers a field; undefined without a description, or with another resolver, another load or other arguments
 * than described.
 */
export function sqlAnswerOf(field: Field): SqlAnswer | undefined {
  const description = descriptionOf(field);
  if (!description || !isBound(field)) return undefined;
  const { answer } = description;
  const onlyWith = (answer.kind === 'write' && answer.onlyWith) || {};
  const known = [...description.arguments, ...description.left];
  const isKnown = field.args.every(
    ({ name, defaultValue }) => Object.hasOwn(onlyWith, name) || (known.includes(name) && defaultValue === undefined),
  );
  return isKnown ? answer : undefined;
}

/** Whether the node gives an argument that SQL leaves to the resolver of the field. */
export function leavesToResolver(field: Field, { arguments: given = [] }: FieldNode): boolean {
  return given.some(({ name }) => descriptionOf(field)?.left.includes(name.value));
}

/** Whether the field has a description that is bound to the resolver it has, and to what is loaded for it. */
export function isBound(field: Described): boolean {
  const description = descriptionOf(field);
  return description?.resolve === resolverOf(field) && description.load === loadOf(field);
}

/** Binds the field's description, if it has one, to a resolver and what is loaded for it. */
export function bindToResolver(field: Described, resolve: unknown = resolverOf(field)): void {
  const description = descriptionOf(field);
  if (!description) return;
  const sql: Description = { ...description, resolve, load: loadOf(field) };
  field.extensions = { ...field.extensions, sql };
}

/**
 * Wraps a field's resolver with a guard and keeps its description. Compiled operations must be checked by the same
 * guard.
 */
export function guardResolver(field: Field, guard: (resolve: Resolver) => Resolver): void {
  const isAnswered = sqlAnswerOf(field) !== undefined;
  field.resolve = guard(resolverOf(field));
  if (isAnswered) bindToResolver(field);
}

/** Wraps the resolver of a field; undefined for a field that needs no guard. */
export type Guard = (
  field: Field,
  type: GraphQLObjectType,
  schema: GraphQLSchema,
) => ((resolve: Resolver) => Resolver) | undefined;

/** Wraps the resolvers of all fields by the guards, the innermost first. */
export function guardFields(schema: GraphQLSchema, guards: readonly Guard[]): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      for (const guard of guards) {
        const wrap = guard(field, type, schema);
        if (wrap) guardResolver(field, wrap);
      }
    }
  }
  return schema;
}

/** What Prisma's plugin loads of a record for a field: a selection, or a function that returns one. */
export const loadOf = ({ extensions }: { extensions?: object | null | undefined }): unknown =>
  extensions && 'pothosPrismaSelect' in extensions ? extensions.pothosPrismaSelect : undefined;

/** Replaces what is loaded for a field, as `guardResolver` replaces its resolver. */
export function guardLoad(field: Field, load: unknown): void {
  const isAnswered = sqlAnswerOf(field) !== undefined;
  field.extensions = { ...field.extensions, pothosPrismaSelect: load };
  if (isAnswered) bindToResolver(field);
}

/** What a field does, which determines who may use it. Kept in the field's extensions. */
export type Access =
  | { resource: Resource; operation: RecordOperation }
  /** Its argument `action` says what it does, with records that its `where` may look for. */
  | { resource: Resource; isOfAction: true }
  | { scope: Scope }
  /** The arguments determine the record types, by ids or by name, so whoever answers calls `requireScopes` for each. */
  | 'by id'
  /** It tells nothing but what concerns the caller's own key. */
  | 'any key';

export const withAccess = (
  access: Access,
  others: Partial<ReturnType<typeof answeredBySql> & ReturnType<typeof weighed>> = {},
) => ({ extensions: { access, ...others } });

/** What the fields of the administration have in common, which need a scope of their own. */
export const forHolders = (scope: 'admin' | 'webhooks') => (description: string) => ({
  ...withAccess({ scope }),
  nullable: true as const,
  description: `${description} Needs the scope \`${scope}\`.`,
});

/** The access of a field; undefined for a field that is reached only through one that has an access. */
export function accessOf({ extensions }: { extensions: { access?: Access } }): Access | undefined {
  return extensions.access;
}

/** The extensions of an object type. */
export const typeOfRecord = (resource: Resource): { record: Resource } => ({ record: resource });

/** The extensions of the filter input of a resource. */
export const filterOfRecord = (resource: Resource): { filterOf: Resource } => ({ filterOf: resource });

/** The extensions of an input that sorts or groups records of a resource. */
export const sortOfRecord = (resource: Resource): { sortOf: Resource } => ({ sortOf: resource });

/** The resource of a record type; undefined for other types, and for types with `isTypeOf`. */
export function recordOf({ extensions, isTypeOf }: GraphQLObjectType): Resource | undefined {
  const { record }: { record?: Resource } = extensions;
  return isTypeOf ? undefined : record;
}

/** The type resolvers that use the type which a record names. */
const namedByRecords = new WeakSet<TypeResolver>();

type TypeResolver = GraphQLTypeResolver<unknown, RequestContext>;

/** Marks that the interfaces and unions with this type resolver use the type that a record names. */
export function bindToRecords(resolveType: TypeResolver): void {
  namedByRecords.add(resolveType);
}

export const isNamedByRecords = ({ resolveType }: GraphQLInterfaceType | GraphQLUnionType): boolean =>
  resolveType != null && namedByRecords.has(resolveType);

const descriptionOf = ({ extensions }: Described): Description | undefined => extensions?.sql;

const resolverOf = ({ resolve }: Described): Resolver => resolve ?? defaultFieldResolver;

/** The extensions of a scalar whose columns SQL writes exactly as `serialize` does. */
export const writtenBySql = (type: ColumnType, serialize: (value: Date) => string) => ({ sql: { type, serialize } });

/** The column type that SQL writes exactly as the scalar serializes it; undefined if there is none. */
export function columnTypeOf(output: GraphQLOutputType): ColumnType | undefined {
  const type = getNullableType(output);
  if (!isScalarType(type)) return undefined;
  const { sql }: { sql?: { type: ColumnType; serialize: unknown } } = type.extensions;
  const known = sql ?? specified.get(type.name);
  return known?.serialize === type.serialize ? known.type : undefined;
}

const columnTypes: readonly ColumnType[] = ['String', 'ID', 'Int', 'Float', 'Boolean'];

/** GraphQL's built-in scalars; a schema may define others with the same names. */
const specified = new Map(
  specifiedScalarTypes.flatMap(({ name, serialize }) =>
    columnTypes.filter((type) => type === name).map((type) => [name, { type, serialize }] as const),
  ),
);
