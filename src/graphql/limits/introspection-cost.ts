/** Introspection fields for the cost: the fields `__schema` and `__type` are listed by no type of the schema. */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';

type Definition = GraphQLField<unknown, unknown>;

/** The definition of a type's field; undefined where the type has no such field. */
export function fieldDefinitionOf(type: GraphQLNamedType | undefined, name: string): Definition | undefined {
  if (name === '__schema') return SchemaMetaFieldDef;
  if (name === '__type') return TypeMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** Whether everything below this field is introspection. */
export const isIntrospection = (definition: Definition): boolean =>
  definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef;

/** How many items an introspection list has; undefined for other fields and for single values. */
export function introspectionSize(
  schema: GraphQLSchema,
  type: GraphQLNamedType | undefined,
  name: string,
): number | undefined {
  if (!type?.name.startsWith('__')) return undefined;
  const known = sizes.get(schema) ?? introspectionSizes(schema);
  sizes.set(schema, known);
  return known.get(`${type.name}.${name}`);
}

const sizes = new WeakMap<GraphQLSchema, ReadonlyMap<string, number>>();

/**
 * The sizes of introspection lists, by `Type.field`: exact for the lists of the schema itself, otherwise the mean over
 * all types. About every second type has an `ofType`.
 */
function introspectionSizes(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap());
  const outputs = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = outputs.flatMap((type) => Object.values(type.getFields()));
  const inputFields = types.filter(isInputObjectType).flatMap((type) => Object.values(type.getFields()));
  const enumValues = types.filter(isEnumType).flatMap((type) => type.getValues());
  const interfaces = outputs.flatMap((type) => type.getInterfaces());
  const directives = schema.getDirectives();
  const perType = (items: readonly unknown[]) => items.length / types.length;
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', directives.length],
    ['__Type.fields', perType(fields)],
    ['__Type.inputFields', perType(inputFields)],
    ['__Type.enumValues', perType(enumValues)],
    ['__Type.interfaces', perType(interfaces)],
    ['__Type.possibleTypes', perType(interfaces)],
    ['__Type.ofType', 0.5],
    ['__Field.args', fields.flatMap(({ args }) => args).length / fields.length],
    ['__Directive.args', directives.flatMap(({ args }) => args).length / directives.length],
  ]);
}
