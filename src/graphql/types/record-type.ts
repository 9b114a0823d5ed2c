/**
 * The only place where the builder's types are loosened. Pothos types the fields of each model by that model, but the
 * derived types handle all 38 models alike, so here the builder is cast to one structural type. The names come from the
 * datamodel, and Pothos checks them when the schema is built.
 */
import type { FieldRef, InputFieldMap, InputShapeFromFields, InterfaceRef, ObjectRef, TypeParam } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import type { Resource } from '../../model/resource.js';
import type { SelectedRecord } from '../../query/delegate.js';
import { type answeredBySql, type ColumnType, typeOfRecord } from '../answered-by-sql.js';
import type { Builder, SchemaTypes } from '../builder.js';
import type { Access } from '../guards/guard-scopes.js';
import type { valueNotes } from '../value-notes.js';

type Extensions = Partial<
  ReturnType<typeof answeredBySql> & ReturnType<typeof computed> & ReturnType<typeof valueNotes>
> & { access?: Access };
export type RecordType = ObjectRef<SchemaTypes, SelectedRecord>;

/**
 * Builds the fields of a derived type. Descriptions default to those of the models. A field may be null unless it says
 * `nullable: false`, also where every record has a value: a client that takes null can be refused a field later.
 */
export interface RecordFields {
  /** A column, read only if selected. */
  expose(
    name: string,
    options: {
      type: ColumnType;
      nullable?: boolean;
      description?: string;
      extensions?: Extensions;
    },
  ): FieldRef<SchemaTypes>;
  /** A value computed from the selected columns. */
  field<Args extends InputFieldMap>(options: {
    type: TypeParam<SchemaTypes>;
    nullable?: boolean;
    /** Left out where an interface of the record describes the field. */
    description?: string;
    /** The columns that it reads, and of parents that the request needs. */
    select: Record<string, true> | ((args: unknown, context: RequestContext) => Record<string, unknown>);
    extensions?: Extensions;
    args?: Args;
    resolve(row: SelectedRecord, args: InputShapeFromFields<Args>, context: RequestContext): unknown;
  }): FieldRef<SchemaTypes>;
  /** What is read of a present record. */
  present<Args extends InputFieldMap>(options: {
    type: TypeParam<SchemaTypes>;
    nullable?: boolean;
    description: string;
    select: Record<string, true>;
    extensions?: Extensions;
    args?: Args;
    resolve(
      row: SelectedRecord,
      args: InputShapeFromFields<Args>,
      context: RequestContext,
      info: GraphQLResolveInfo,
    ): unknown;
  }): FieldRef<SchemaTypes>;
  /** The children or the parent, read with one statement for all records together. */
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

/** Pothos has one function for both. */
type PothosFields = Omit<RecordFields, 'present'> & { field: RecordFields['present'] & RecordFields['field'] };

interface LooseBuilder {
  prismaObjectFields(type: RecordType, fields: (t: PothosFields) => Record<string, FieldRef<SchemaTypes>>): void;
  prismaObject(
    model: string,
    options: {
      description: string;
      extensions: object;
      interfaces: InterfaceRef<SchemaTypes, { id: string }>[];
      select: object;
      fields(t: PothosFields): Record<string, FieldRef<SchemaTypes>>;
    },
  ): RecordType;
}

const loosened = (builder: Builder): LooseBuilder => builder as unknown as LooseBuilder;

/** Adds the GraphQL type of a resource; it reads only the selected columns. */
export function recordType(
  builder: Builder,
  resource: Resource,
  interfaces: InterfaceRef<SchemaTypes, { id: string }>[],
  fields: (t: RecordFields) => Record<string, FieldRef<SchemaTypes>>,
): RecordType {
  const { model, description } = resource;
  return loosened(builder).prismaObject(model, {
    description,
    extensions: typeOfRecord(resource),
    interfaces,
    select: {},
    fields: (t) => fields(fieldsOf(t)),
  });
}

/** Adds fields to a type that is there already. */
export function addRecordFields(
  builder: Builder,
  type: RecordType,
  fields: (t: RecordFields) => Record<string, FieldRef<SchemaTypes>>,
): void {
  loosened(builder).prismaObjectFields(type, (t) => fields(fieldsOf(t)));
}

const fieldsOf = (t: PothosFields): RecordFields => ({
  present: (options) => t.field({ ...mayBeNull, ...options }),
  expose: (name, options) => t.expose(name, { ...mayBeNull, ...options }),
  field: (options) =>
    t.field({ ...mayBeNull, ...options, extensions: { ...options.extensions, ...computed(options.resolve) } }),
  relation: (name, options) => t.relation(name, { ...mayBeNull, ...options }),
});

const mayBeNull = { nullable: true };

type Computed = (row: SelectedRecord, args: Arguments, context: RequestContext) => unknown;

/** The arguments as GraphQL gives them to any resolver. */
type Arguments = Parameters<GraphQLFieldResolver<unknown, RequestContext>>[1];

/** Keeps what computes a field, which reads nothing: it does so of a record that was not read from its table too. */
const computed = (compute: Computed): { computed: Computed } => ({ computed: compute });

export const computedOf = ({ extensions }: { extensions: { computed?: Computed } }): Computed | undefined =>
  extensions.computed;
