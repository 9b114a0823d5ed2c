/**
 * The one loosened builder. Pothos types each model's fields by the model; the derived types serve all 38 alike, so
 * here, and nowhere else, the builder is seen through one structural type. What it is given comes from the datamodel,
 * which Pothos checks again when the schema is built.
 */
import type { FieldRef, InputFieldMap, InputShapeFromFields, InterfaceRef, ObjectRef, TypeParam } from '@pothos/core';
import type { RequestContext } from '../context.js';
import type { Resource } from '../model/resource.js';
import type { Row } from '../records/delegate.js';
import type { Builder, SchemaTypes } from './builder.js';
import { type answeredBySql, type ColumnType, typeOfRecord } from './sql.js';

type Extensions = ReturnType<typeof answeredBySql>;
export type RecordType = ObjectRef<SchemaTypes, Row>;

/** What a derived type's fields are made with. Descriptions are those of the models unless given. */
export interface RecordFields {
  /** A column, read only when it is asked for. */
  expose(
    name: string,
    options: { type: ColumnType; nullable?: boolean; description?: string; extensions?: Extensions },
  ): FieldRef<SchemaTypes>;
  /** A value worked out from the selected columns. */
  field(options: {
    type: TypeParam<SchemaTypes>;
    description: string;
    select: Record<string, true>;
    extensions?: Extensions;
    resolve(row: Row, args: object, context: RequestContext): unknown;
  }): FieldRef<SchemaTypes>;
  /** The children, or the parent, read in one statement for all the records at hand. */
  relation<Args extends InputFieldMap>(
    name: string,
    options: {
      nullable?: boolean;
      description?: string;
      extensions?: Extensions;
      args?: Args;
      query?(args: InputShapeFromFields<Args>): object;
    },
  ): FieldRef<SchemaTypes>;
}

interface LooseBuilder {
  prismaObject(
    model: string,
    options: {
      description: string;
      extensions: object;
      interfaces: InterfaceRef<SchemaTypes, { id: string }>[];
      select: object;
      fields(t: RecordFields): Record<string, FieldRef<SchemaTypes>>;
    },
  ): RecordType;
}

/** Adds the GraphQL type of a resource, which reads only the columns a query asks for. */
export function recordType(
  builder: Builder,
  resource: Resource,
  interfaces: InterfaceRef<SchemaTypes, { id: string }>[],
  fields: (t: RecordFields) => Record<string, FieldRef<SchemaTypes>>,
): RecordType {
  const { model, description } = resource;
  return (builder as unknown as LooseBuilder).prismaObject(model, {
    description,
    extensions: typeOfRecord(resource),
    interfaces,
    select: {},
    fields,
  });
}
