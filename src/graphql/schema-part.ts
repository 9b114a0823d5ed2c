/** What a feature adds to the schema. Types and queries ask for it where they are made, so that it stands in its place among theirs. */
import type { FieldRef, InputFieldMap } from '@pothos/core';
import type { GraphQLSchema } from 'graphql';
import type { Resource } from '../model/resource.js';
import { type Builder, perBuilder, type SchemaTypes } from './builder.js';
import type { RecordFields } from './types/record-type.js';

export interface SchemaPart {
  /** Adds types and fields, after those of the records. */
  schema?(builder: Builder, resources: readonly Resource[]): void;
  /** Arguments of the query of one record, or of the list of a type that is no child. Where they are given, resolvers answer. */
  arguments?(builder: Builder, resource: Resource, query: 'one' | 'many'): InputFieldMap;
  /** Fields of a record type, ahead of its relations. */
  fields?(builder: Builder, t: RecordFields, resource: Resource): Record<string, FieldRef<SchemaTypes>>;
  /**
   * Changes how fields are answered once the schema is built, in the order of the features, each around those before it and
   * within the checks of arguments and scopes.
   */
  guard?(schema: GraphQLSchema, resources: readonly Resource[]): void;
}

/** What the features add to the schema that this builder makes. */
export const partsOf = perBuilder((): SchemaPart[] => []);

export const addedArguments = (builder: Builder, resource: Resource, query: 'one' | 'many'): InputFieldMap =>
  Object.fromEntries(
    partsOf(builder).flatMap((part) => Object.entries(part.arguments?.(builder, resource, query) ?? {})),
  );
