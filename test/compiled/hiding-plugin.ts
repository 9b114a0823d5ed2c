/** Pothos plugins: one wraps a resolver, like a plugin that checks scopes of columns; one loads other lines. */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      hidesIndustry: HidesIndustry<Types>;
      hidesOil: HidesOil<Types>;
    }
  }
}

class HidesIndustry<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { parentType, name }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    return parentType === 'IndustryType' && name === 'industry' ? () => 'hidden' : resolve;
  }
}
SchemaBuilder.registerPlugin('hidesIndustry', HidesIndustry);

class HidesOil<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (config.parentType !== 'AssetRepair' || config.name !== 'consumedItems') return config;
    const pothosPrismaSelect = () => ({
      select: { consumedItems: { where: { itemCode: 'grease' }, select: { id: true, itemCode: true } } },
    });
    return { ...config, extensions: { ...config.extensions, pothosPrismaSelect } };
  }
}
SchemaBuilder.registerPlugin('hidesOil', HidesOil);
