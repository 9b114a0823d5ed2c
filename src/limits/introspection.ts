import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

/**
 * How many items the lists of introspection have, by `Type.field`: those of the schema itself where there is one of
 * them, else the mean over all that could be asked. `ofType` is there for about every second type.
 */
export function introspectionSizes(schema: GraphQLSchema): ReadonlyMap<string, number> {
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
