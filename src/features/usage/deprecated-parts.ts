import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

interface Part {
  name: string;
  deprecationReason?: string | null | undefined;
}

/** Every field, argument, field of an input and value of an enum that is `@deprecated`, with the reason, by coordinate. */
export function deprecatedParts(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const note = (coordinate: string, { deprecationReason: reason }: Part) => {
    if (reason != null) found.set(coordinate, reason);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      note(`${type.name}.${field.name}`, field);
      const args: readonly Part[] = 'args' in field ? field.args : [];
      for (const argument of args) note(`${type.name}.${field.name}(${argument.name}:)`, argument);
    }
  }
  return found;
}
