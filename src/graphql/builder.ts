/**
 * The Pothos builder, typed by the generated models, so that handwritten fields of a model are type-checked. Derived
 * types use `record-type.ts`.
 */

import SchemaBuilder, {
  BasePlugin,
  type FieldMap,
  type PothosInterfaceTypeConfig,
  type PothosOutputFieldConfig,
  type PothosUnionTypeConfig,
  type SchemaTypes as SchemaTypesOfPothos,
} from '@pothos/core';
import prismaPlugin from '@pothos/plugin-prisma';
import { GraphQLError, type GraphQLFieldResolver, type GraphQLTypeResolver, Kind, print } from 'graphql';
import type { RequestContext } from '../change/context.js';
import { oncePer } from '../common/kept.js';
import { datamodel } from '../generated/datamodel.js';
import type PrismaTypes from '../generated/pothos-types.js';
import type { PrismaClient } from '../generated/sqlite/client.js';
import type { AskedRecord } from '../model/asked-record.js';
import { notAnInstant, parseInstant } from '../model/instant.js';
import type { Resource } from '../model/resource.js';
import { bindToRecords, bindToResolver, isBound, writtenBySql } from './answered-by-sql.js';
import { mutationDescription, queryDescription } from './root-descriptions.js';

const sqlPlugin = 'answeredBySql';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypesOfPothos> {
      answeredBySql: SqlPlugin<Types>;
    }
  }
}

/**
 * A Pothos plugin that binds descriptions of SQL to resolvers when the schema is built, if the resolver is unmodified.
 * Prisma's plugin may wrap it, because it only loads what the resolver needs. A resolver that another plugin has
 * replaced or wrapped, or for which it loads something else, gets no description and is not answered by SQL.
 */
class SqlPlugin<Types extends SchemaTypesOfPothos> extends BasePlugin<Types> {
  /** @throws if another plugin comes between the two, because its changes could not be distinguished from Prisma's */
  override beforeBuild(): void {
    const plugins: readonly string[] = this.builder.options.plugins ?? [];
    if (plugins.slice(-2).join() === `${sqlPlugin},${prismaPlugin}`) return;
    throw new Error(`Name plugins of Pothos in front of ${sqlPlugin} and ${prismaPlugin}, not ${plugins.join(', ')}`);
  }

  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    bindToResolver(config);
    return config;
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    // Its resolver is unmodified as long as it is the one of `onOutputFieldConfig`.
    if (isBound(config)) bindToResolver(config, resolve);
    return resolve;
  }

  override wrapResolveType(
    resolveType: GraphQLTypeResolver<unknown, Types['Context']>,
    config: PothosInterfaceTypeConfig | PothosUnionTypeConfig,
  ): GraphQLTypeResolver<unknown, Types['Context']> {
    if (!config.resolveType) bindToRecords(resolveType);
    return resolveType;
  }
}

SchemaBuilder.registerPlugin(sqlPlugin, SqlPlugin);

/** The names of plugins, outermost first. */
export type Plugins = readonly (keyof PothosSchemaTypes.Plugins<SchemaTypesOfPothos>)[];

const newBuilder = (plugins: Plugins) =>
  new SchemaBuilder<{
    Context: RequestContext;
    PrismaTypes: PrismaTypes;
    Scalars: {
      DateTime: { Input: Date; Output: Date };
      ID: { Input: string; Output: string };
      FieldValue: { Input: unknown; Output: unknown };
      _Any: { Input: AskedRecord; Output: unknown };
    };
    DefaultFieldNullability: false;
  }>({
    plugins: [...plugins, sqlPlugin, prismaPlugin],
    defaultFieldNullability: false,
    prisma: {
      // Pothos asks for the whole client but uses only its models, which an open transaction has too.
      client: ({ database }) => database.client as PrismaClient,
      dmmf: { datamodel },
      exposeDescriptions: true,
      onUnusedQuery: 'error',
    },
  });

export type Builder = ReturnType<typeof newBuilder>;
export type SchemaTypes = Builder['$inferSchemaTypes'];

/** A builder with the types that every schema has. */
export function createBuilder(plugins: Plugins = []): Builder {
  const builder = newBuilder(plugins);
  // Root fields are nullable, so that a refused field does not affect its siblings. The exception is `nodes`, whose
  // items are nullable.
  builder.queryType({ description: queryDescription });
  builder.mutationType({ description: mutationDescription });

  builder.scalarType('DateTime', {
    description:
      'An instant in the years 1 to 9999: `2026-01-31T09:30:00.000Z`, in UTC with milliseconds. An input may have another offset from UTC, may end at the minutes, seconds or decimals of a second, or be a date, which is its midnight in UTC. One that is not in the calendar, or is finer than milliseconds, is refused.',
    specifiedByURL,
    serialize: textOf,
    extensions: writtenBySql('DateTime', textOf),
    parseValue: (value) => {
      const instant = typeof value === 'string' ? parseInstant(value) : notAnInstant;
      if (typeof instant === 'string') throw new TypeError(instant);
      return instant;
    },
    // GraphQL would treat any error other than its own as a fault of the server.
    parseLiteral: (node) => {
      const instant = node.kind === Kind.STRING ? parseInstant(node.value) : notAnInstant;
      if (typeof instant !== 'string') return instant;
      const found = node.kind === Kind.STRING ? '' : `, not ${print(node)}`;
      throw new GraphQLError(`DateTime ${instant}${found}`, { nodes: node });
    },
  });

  return builder;
}

/** A profile of ISO 8601: what is accepted are its levels from the date on, and what is answered is the finest. */
const specifiedByURL = 'https://www.w3.org/TR/NOTE-datetime';

const textOf = (value: Date): string => value.toISOString();

/** Creates something once for each builder: a type has one definition per schema, however many fields use it. */
export const perBuilder = <Made>(make: (builder: Builder) => Made): ((builder: Builder) => Made) => oncePer(make);

/** An object type that each schema has once; its fields may name other types of the same builder. */
export const objectOf = <Shape>(
  name: string,
  { description, fields }: { description: string; fields(t: ObjectFields<Shape>, builder: Builder): FieldMap },
) =>
  perBuilder((builder) => builder.objectRef<Shape>(name).implement({ description, fields: (t) => fields(t, builder) }));

type ObjectFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Shape>;

/** What is said of a field that shows something, or null; or an instant. */
export const orNull = (description: string) => ({ nullable: true as const, description });
export const instantOrNull = (description: string) => ({ type: 'DateTime' as const, ...orNull(description) });

/** The same, once for each resource. */
export function perResource<Made>(
  make: (builder: Builder, resource: Resource) => Made,
): (builder: Builder, resource: Resource) => Made {
  const ofBuilder = perBuilder((builder) => oncePer((resource: Resource) => make(builder, resource)));
  return (builder, resource) => ofBuilder(builder)(resource);
}
