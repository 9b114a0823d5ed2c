/**
 * A Pothos plugin that binds descriptions of SQL to resolvers when the schema is built, if the resolver is unmodified.
 * Prisma's plugin may wrap it, because it only loads what the resolver needs. A resolver that another plugin has
 * replaced or wrapped, or for which it loads something else, gets no description and is not answered by SQL.
 */
import SchemaBuilder, {
  BasePlugin,
  type PothosInterfaceTypeConfig,
  type PothosOutputFieldConfig,
  type PothosUnionTypeConfig,
  type SchemaTypes,
} from '@pothos/core';
import prismaPlugin from '@pothos/plugin-prisma';
import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  isAbstractType,
  isObjectType,
} from 'graphql';
import { bindToResolver, bindToTypeResolver, loadOf } from './answered-by-sql.js';

export const sqlPlugin = 'answeredBySql';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      answeredBySql: SqlPlugin<Types>;
    }
  }
}

export class SqlPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  /** By type and field: the original resolver and what is loaded for it, and the resolver as Prisma's plugin wrapped it. */
  readonly #written = new Map<string, { resolve: unknown; load: unknown }>();
  readonly #resolvers = new Map<string, unknown>();
  readonly #typeResolvers = new Map<string, unknown>();

  /** @throws if another plugin comes between the two, because its changes could not be distinguished from Prisma's */
  override beforeBuild(): void {
    const plugins: readonly string[] = this.builder.options.plugins ?? [];
    if (plugins.slice(-2).join() === `${sqlPlugin},${prismaPlugin}`) return;
    throw new Error(`Name plugins of Pothos in front of ${sqlPlugin} and ${prismaPlugin}, not ${plugins.join(', ')}`);
  }

  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    this.#written.set(keyOf(config), { resolve: config.resolve, load: loadOf(config) });
    return config;
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const written = this.#written.get(keyOf(config));
    const isAsWritten = written?.resolve === config.resolve && written?.load === loadOf(config);
    if (isAsWritten) this.#resolvers.set(keyOf(config), resolve);
    return resolve;
  }

  override wrapResolveType(
    resolveType: GraphQLTypeResolver<unknown, Types['Context']>,
    config: PothosInterfaceTypeConfig | PothosUnionTypeConfig,
  ): GraphQLTypeResolver<unknown, Types['Context']> {
    if (!config.resolveType) this.#typeResolvers.set(config.name, resolveType);
    return resolveType;
  }

  override afterBuild(schema: GraphQLSchema): GraphQLSchema {
    for (const type of Object.values(schema.getTypeMap())) {
      if (isAbstractType(type) && this.#typeResolvers.get(type.name) === type.resolveType) bindToTypeResolver(type);
      if (!isObjectType(type) || type.name.startsWith('__')) continue;
      for (const field of Object.values(type.getFields())) {
        const written = this.#resolvers.get(`${type.name}.${field.name}`);
        if (written && written === (field.resolve ?? defaultFieldResolver)) bindToResolver(field);
      }
    }
    return schema;
  }
}

const keyOf = ({ parentType, name }: { parentType: string; name: string }): string => `${parentType}.${name}`;

SchemaBuilder.registerPlugin(sqlPlugin, SqlPlugin);
