/**
 * `_entities` and `_service`: what makes the schema a subgraph of Apollo Federation. A router asks `_entities` for the
 * records that other subgraphs name by their type and id.
 */

import {
  type DefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { oncePer } from '../../common/kept.js';
import { didYouMean } from '../../common/nearest.js';
import { answeredBySql, recordOf, withAccess } from '../../graphql/answered-by-sql.js';
import type { Builder } from '../../graphql/builder.js';
import { findRecords } from '../../graphql/fields/queries.js';
import { kindOf } from '../../graphql/guards/value-problem.js';
import { constrained } from '../../graphql/inputs/filters.js';
import { weighed } from '../../graphql/limits/cost-parts.js';
import { edited, printSdl, type TextEdit } from '../../graphql/print-sdl.js';
import { typeOf } from '../../graphql/types/record-object-types.js';
import { type AskedIn, AskedRecord } from '../../model/asked-record.js';
import { isStorableText } from '../../model/field.js';
import { pastIdIn } from '../../model/ids.js';
import { largestPageSize } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';

export function addFederation(builder: Builder, resources: readonly Resource[]): void {
  addRepresentations(builder, resources);
  const entity = builder.unionType('_Entity', {
    description: 'A record of any type, lines included, as a router of Apollo Federation asks for it.',
    types: resources.map((resource) => typeOf(builder, resource)),
  });
  const service = builder.objectRef<object>('_Service').implement({
    description: 'This schema as a subgraph of Apollo Federation.',
    fields: (t) => ({
      sdl: t.string({
        description: 'The schema as text, with the directives of Apollo Federation.',
        // It takes half a megabyte of the answer.
        extensions: weighed(() => 9_999),
        resolve: (_service, _args, _context, { schema }) => printSubgraph(schema),
      }),
    }),
  });

  builder.queryField('_entities', (t) =>
    t.field({
      type: [entity],
      nullable: { list: false, items: true },
      ...withAccess('by id', answeredBySql({ kind: 'nodes', resources, askedIn }, ['representations'])),
      description: 'The records that are represented, in the same order, with null where there is none.',
      args: {
        representations: t.arg({
          type: ['_Any'],
          required: true,
          description: `The types and ids of the records, ${largestPageSize} at most.`,
          ...constrained({ maximumLength: largestPageSize }),
        }),
      },
      resolve: (_, { representations }, context, info) => findRecords(representations, context, info),
    }),
  );

  builder.queryField('_service', (t) =>
    t.field({
      type: service,
      ...withAccess('any key'),
      description: 'What the composition of a supergraph reads of this gateway.',
      resolve: () => ({}),
    }),
  );
}

function addRepresentations(builder: Builder, resources: readonly Resource[]): void {
  const byName = new Map(resources.map((resource): [string, Resource] => [resource.model, resource]));
  /** @throws TypeError with what is wrong, as the end of a sentence that begins with the name of the argument */
  const parseValue = (value: unknown): AskedRecord => {
    if (!isObject(value)) throw new TypeError(`must be an object with \`__typename\` and \`id\`, not ${kindOf(value)}`);
    const { __typename: type, id } = value;
    if (typeof type !== 'string') throw new TypeError('must have the name of a record type as `__typename`');
    const resource = byName.get(type);
    if (!resource)
      throw new TypeError(`must have the name of a record type as \`__typename\`${didYouMean(type, byName.keys())}`);
    if (typeof id !== 'string') throw new TypeError(`must have the id of the ${resource.title} as \`id\`, a string`);
    if (!isStorableText(id)) {
      throw new TypeError('must have an `id` without U+0000 and without halves of surrogate pairs');
    }
    if (pastIdIn(id)) throw new TypeError('names a state of the past by its `id`; give the `recordId` of the record');
    return new AskedRecord(resource, id);
  };
  builder.scalarType('_Any', {
    description:
      'A record as a router of Apollo Federation names it: `{"__typename": "AssetRepair", "id": "asset-repair_…"}`. Other members are ignored.',
    serialize: (value) => value,
    parseValue,
    parseLiteral: (node) => {
      try {
        return parseValue(constant(node));
      } catch (error) {
        throw new GraphQLError(`_Any ${error instanceof Error ? error.message : 'cannot be used'}`, { nodes: node });
      }
    },
  });
}

/** The records that `representations` asks for; undefined for arguments that the resolver refuses. */
const askedIn: AskedIn = ({ representations: given }) => {
  if (!Array.isArray(given) || given.length > largestPageSize) return undefined;
  const asked = given.filter((each) => each instanceof AskedRecord);
  return asked.length === given.length ? asked : undefined;
};

/** The value of a literal. @throws TypeError for one that holds variables, whose values validation does not know */
function constant(node: ValueNode): unknown {
  visit(node, {
    [Kind.VARIABLE]: () => {
      throw new TypeError('must be a variable as a whole, or have no variable within it');
    },
  });
  return valueFromASTUntyped(node);
}

// The schema as a subgraph of Apollo Federation: what the composition of a supergraph reads.

/** The oldest version that has everything that is used here, so that as many tools as possible can read it. */
const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])`;

/** Added by the composition itself, so they are no part of the text. */
const ownTypes = new Set(['_Any', '_Entity', '_Service']);
const ownFields = new Set(['_entities', '_service']);

/** Made when it is first asked for. */
export const printSubgraph = oncePer((schema: GraphQLSchema): string => {
  const text = printSdl(schema);
  const edits = parse(text).definitions.flatMap((definition) => [...editsOf(schema, definition)]);
  return `${link}\n\n${edited(text, edits)}`;
});

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
