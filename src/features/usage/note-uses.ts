import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { oncePer } from '../../common/kept.js';
import type { Joined } from '../../gateway/feature.js';
import type { Usage } from './usage.js';

/**
 * Notes which deprecated parts of the schema an operation of a key uses, by their coordinates: `AssetRepair.title`. What is
 * written in a document is found once; what its variables hold is looked for each time. Undefined where no part is deprecated.
 */
export function createNoteUses(schema: GraphQLSchema, usage: Pick<Usage, 'count'>): Joined['admitted'] {
  const parts = deprecatedParts(schema);
  if (parts.size === 0) return undefined;
  const written = oncePer((definition: OperationDefinitionNode, document: DocumentNode) =>
    writtenIn(schema, document, definition, parts),
  );
  return (keyId, { document, definition, variables }, headers) => {
    const found = new Set(written(definition, document));
    for (const { type, variable } of definition.variableDefinitions ?? []) {
      const input = typeFromAST(schema, type);
      if (isInputType(input)) addGiven(input, variables[variable.name.value], parts, found);
    }
    for (const coordinate of found) usage.count(keyId, 'graphql', coordinate, headers);
  };
}

type Parts = ReadonlyMap<string, string>;

function writtenIn(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
  parts: Parts,
): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (coordinate: string) => parts.has(coordinate) && found.add(coordinate);
  const types = new TypeInfo(schema);
  const own = separateOperations(document)[definition.name?.value ?? ''] ?? document;
  visit(
    own,
    visitWithTypeInfo(types, {
      Field: ({ name }) => void note(`${types.getParentType()?.name}.${name.value}`),
      Argument: ({ name }) => void note(`${types.getParentType()?.name}.${types.getFieldDef()?.name}(${name.value}:)`),
      ObjectField: ({ name }) => {
        const parent = types.getParentInputType();
        note(`${parent && getNamedType(parent).name}.${name.value}`);
      },
      EnumValue: ({ value }) => {
        const type = types.getInputType();
        note(`${type && getNamedType(type).name}.${value}`);
      },
    }),
  );
  return found;
}

/** Adds the deprecated fields and values of inputs in a value of a variable. */
function addGiven(type: GraphQLInputType, value: unknown, parts: Parts, found: Set<string>): void {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    for (const item of Array.isArray(value) ? value : [value]) addGiven(inner.ofType, item, parts, found);
    return;
  }
  const note = (coordinate: string) => parts.has(coordinate) && found.add(coordinate);
  if (isEnumType(inner)) return void note(`${inner.name}.${String(value)}`);
  if (!isInputObjectType(inner) || !isObject(value)) return;
  const fields = inner.getFields();
  for (const [name, each] of Object.entries(value)) {
    note(`${inner.name}.${name}`);
    const field = fields[name];
    if (field) addGiven(field.type, each, parts, found);
  }
}

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
