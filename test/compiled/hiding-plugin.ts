/** A plugin of Pothos that wraps one resolver, as one that asks for the scopes of columns does. */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      hidesIndustry: HidesIndustry<Types>;
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
