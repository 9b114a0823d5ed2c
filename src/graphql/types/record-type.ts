/**
 * The only place where the builder's types are loosened. Pothos types the fields of each model by that model, but the
 * derived types handle all 38 models alike, so here the builder is cast to one structural type. The names come from the
 * datamodel, and Pothos checks them when the schema is built.
 */
import type { FieldRef, InputFieldMap, InputShapeFromFields, InterfaceRef, ObjectRef, TypeParam } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import type { MaybePromise } from '../../common/maybe-promise.js';
import type { Resource } from '../../model/resource.js';
import type { ColumnType } from '../../model/selection.js';
import type { SelectedRecord } from '../../query/delegate.js';
import { type Access, type answeredBySql, typeOfRecord } from '../answered-by-sql.js';
import type { Builder, SchemaTypes } from '../builder.js';
import type { valueNotes } from '../value-notes.js';

export type RecordType = ObjectRef<SchemaTypes, SelectedRecord>;
export type Fields = Record<string, FieldRef<SchemaTypes>>;

interface Options<Args extends InputFieldMap = InputFieldMap> {
  nullable?: boolean;
  /** Left out where the model or an interface of the record describes the field. */
  description?: string | undefined;
  extensions?: Partial<
    ReturnType<typeof answeredBySql> & ReturnType<typeof computed> & ReturnType<typeof valueNotes>
  > & { access?: Access };
  args?: Args;
}

interface FieldOptions<Args extends InputFieldMap> extends Options<Args> {
  type: TypeParam<SchemaTypes>;
  /** The columns that it reads, and of parents that the request needs. */
  select: Record<string, true> | ((args: unknown, context: RequestContext) => Record<string, unknown>);
}

/**
 * Builds the fields of a derived type. A field may be null unless it says `nullable: false`, also where every record has a
 * value: a client that takes null can be refused a field later.
 */
export interface RecordFields {
  /** A column, read only if selected. */
  expose(name: string, options: Options & { type: ColumnType }): FieldRef<SchemaTypes>;
  /** A value computed from the selected columns. */
  field<Args extends InputFieldMap>(
    options: FieldOptions<Args> & {
      resolve(row: SelectedRecord, args: InputShapeFromFields<Args>, context: RequestContext): unknown;
    },
  ): FieldRef<SchemaTypes>;
  /** What is read of a present record. */
  present<Args extends InputFieldMap>(
    options: FieldOptions<Args> & { resolve: Resolve<SelectedRecord, Args, unknown> },
  ): FieldRef<SchemaTypes>;
  /** The children or the parent, read with one statement for all records together. */
  relation<Args extends InputFieldMap>(
    name: string,
    options: Options<Args> & { query?(args: InputShapeFromFields<Args>): object },
  ): FieldRef<SchemaTypes>;
}

type Resolve<Parent, Args extends InputFieldMap, Shape> = (
  parent: Parent,
  args: InputShapeFromFields<Args>,
  context: RequestContext,
  info: GraphQLResolveInfo,
) => Shape;

/** Pothos has one function for both. */
type PothosFields = Omit<RecordFields, 'present'> & { field: RecordFields['present'] & RecordFields['field'] };

/** A mutation that answers a payload. It may be null, so that a refused one does not affect its siblings. */
export interface MutationField<Payload, Args extends InputFieldMap> {
  /** Made after the types of records. */
  type(): ObjectRef<SchemaTypes, Payload>;
  description: string;
  args: Args;
  resolve: Resolve<unknown, Args, MaybePromise<Payload>>;
}

interface LooseBuilder {
  mutationField(
    name: string,
    field: (t: { field(options: object): FieldRef<SchemaTypes> }) => FieldRef<SchemaTypes>,
  ): void;
  prismaObjectFields(type: RecordType, fields: (t: PothosFields) => Fields): void;
  prismaObject(
    model: string,
    options: {
      description: string;
      extensions: object;
      interfaces: InterfaceRef<SchemaTypes, { id: string }>[];
      select: object;
      fields(t: PothosFields): Fields;
    },
  ): RecordType;
}

const loosened = (builder: Builder): LooseBuilder => builder as unknown as LooseBuilder;

/** Adds the GraphQL type of a resource; it reads only the selected columns. */
export function recordType(
  builder: Builder,
  resource: Resource,
  interfaces: InterfaceRef<SchemaTypes, { id: string }>[],
  fields: (t: RecordFields) => Fields,
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
export function addRecordFields(builder: Builder, type: RecordType, fields: (t: RecordFields) => Fields): void {
  loosened(builder).prismaObjectFields(type, (t) => fields(fieldsOf(t)));
}

export function addMutationField<Payload, Args extends InputFieldMap>(
  builder: Builder,
  name: string,
  options: MutationField<Payload, Args> & Options,
): void {
  loosened(builder).mutationField(name, (t) => t.field({ ...mayBeNull, ...options, type: options.type() }));
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
export type Arguments = Parameters<GraphQLFieldResolver<unknown, RequestContext>>[1];

/** Keeps what computes a field, which reads nothing: it does so of a record that was not read from its table too. */
const computed = (compute: Computed): { computed: Computed } => ({ computed: compute });

export const computedOf = ({ extensions }: { extensions: { computed?: Computed } }): Computed | undefined =>
  extensions.computed;
