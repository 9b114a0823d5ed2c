/** The schema as a subgraph of Apollo Federation: what the composition of a supergraph reads. */
import {
  type DefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
} from 'graphql';
import { recordOf } from '../../graphql/answered-by-sql.js';
import { printSdl } from '../../graphql/print-sdl.js';
import { edited, type TextEdit } from '../../graphql/text-edits.js';

/** The oldest version that has everything that is used here, so that as many tools as possible can read it. */
const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])`;

/** Added by the composition itself, so they are no part of the text. */
const ownTypes = new Set(['_Any', '_Entity', '_Service']);
const ownFields = new Set(['_entities', '_service']);

/** Made when it is first asked for. */
export function printSubgraph(schema: GraphQLSchema): string {
  const known = printed.get(schema) ?? subgraphOf(schema);
  printed.set(schema, known);
  return known;
}

const printed = new WeakMap<GraphQLSchema, string>();

function subgraphOf(schema: GraphQLSchema): string {
  const text = printSdl(schema);
  const edits = parse(text).definitions.flatMap((definition) => [...editsOf(schema, definition)]);
  return `${link}\n\n${edited(text, edits)}`;
}

function* editsOf(schema: GraphQLSchema, definition: DefinitionNode): Iterable<TextEdit> {
  if ('name' in definition && ownTypes.has(definition.name?.value ?? '')) yield without(definition);
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return;
  const directive = directiveOf(schema, definition);
  const { end } = definition.interfaces?.at(-1)?.loc ?? definition.name.loc ?? {};
  if (directive && end !== undefined) yield { start: end, end, text: ` ${directive}` };
  if (definition.name.value !== schema.getQueryType()?.name) return;
  for (const field of definition.fields ?? []) if (ownFields.has(field.name.value)) yield without(field);
}

/**
 * Records are found by their ids. `PageInfo` may be defined by several subgraphs, because Relay says what it is. No
 * other type is shared: if another subgraph has one of the same name, composition should report an error.
 */
function directiveOf(schema: GraphQLSchema, { name: { value: name } }: ObjectTypeDefinitionNode): string | undefined {
  const type = schema.getType(name);
  if (isObjectType(type) && recordOf(type)) return '@key(fields: "id")';
  return name === 'PageInfo' ? '@shareable' : undefined;
}

/** Removes a definition with its description. */
const without = ({ loc }: Pick<DefinitionNode, 'loc'>): TextEdit => ({
  start: loc?.start ?? 0,
  end: loc?.end ?? 0,
  text: '',
});
