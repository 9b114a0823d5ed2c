/** The complete GraphQL schema of the gateway. */
import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  specifiedDirectives,
} from 'graphql';
import { camelOf } from '../model/names.js';
import type { Resource } from '../model/resource.js';
import { guardFields } from './answered-by-sql.js';
import { createBuilder, type Plugins } from './builder.js';
import { addMutations } from './fields/mutations.js';
import { addPreview } from './fields/preview-mutation.js';
import { addNodes, addQueries } from './fields/queries.js';
import { addRelations } from './fields/relations.js';
import { addViewer } from './fields/viewer.js';
import { answerUserErrors } from './guards/answer-user-errors.js';
import { answerLinkedLines, countAnswer, guardArguments, guardScopes, takeTurns } from './guards/guards.js';
import { addFilters } from './inputs/filters.js';
import { meaningOfArgument } from './root-descriptions.js';
import { partsOf, type SchemaPart } from './schema-part.js';
import { addRecordTypes } from './types/record-object-types.js';
import { valueDirectives } from './value-notes.js';

export interface SchemaParts {
  resources: readonly Resource[];
  features: readonly SchemaPart[];
  plugins?: Plugins;
}

export function createSchema({ resources, features, plugins }: SchemaParts): GraphQLSchema {
  const builder = createBuilder(plugins);
  partsOf(builder).push(...features);
  addRecordTypes(builder, resources);
  addFilters(builder, resources);
  addRelations(builder, resources);
  addQueries(builder, resources);
  addNodes(builder, resources);
  addMutations(builder, resources);
  addPreview(builder, resources);
  addViewer(builder, resources);
  for (const feature of features) feature.schema?.(builder, resources);
  const built = builder.toSchema({ sortSchema: false, directives: [...specifiedDirectives, ...valueDirectives] });
  const schema = guardFields(built, [answerLinkedLines]);
  for (const feature of features) feature.guard?.(schema, resources);
  orderTypes(schema, resources);
  describeSchema(schema, resources);
  schema.description = schemaDescription;
  // The outermost guard runs first: a caller who may not use a field learns nothing about its arguments.
  const innermostFirst = [takeTurns(), guardArguments, answerUserErrors, guardScopes, countAnswer];
  return guardFields(schema, innermostFirst);
}

/** What GraphiQL and other tools show of the schema first. The links are relative to `/graphql`. */
const schemaDescription = `The business records of nine areas. Begin with a record type, such as \`AssetRepair\`: the query \`assetRepair\` finds one,
\`assetRepairs\` a page of them, \`assetRepairAggregate\` counts and sums, and \`createAssetRepair\`, \`saveAssetRepair\` and
\`submitAssetRepair\` change them.

- [Map of the record types](schema), with their lines, states and fields
- [Records](records), to look at and to edit
- [REST reference](docs), with the GraphQL operation of each endpoint, and a box that translates calls of REST
- [The schema as a file](schema.graphql), and [the operations of all endpoints](operations.json)`;

/** What the texts of the parts of a type are taken from, by the names of the parts. */
type Texts = (name: string) => string | undefined;

/**
 * Gives each part of the finished schema that says nothing of itself a description, from the one place that has it: a field of
 * an input, a filter or an aggregate means what the field of the record type means, whose text is that of the model.
 */
function describeSchema(schema: GraphQLSchema, resources: readonly Resource[]): void {
  for (const type of Object.values(schema.getTypeMap())) {
    const text = textsOf(schema, type.name, resources);
    if (isEnumType(type)) {
      for (const value of type.getValues()) value.description ??= text(camelOf(value.name.toLowerCase()));
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields()))
        field.description ??= text(field.name) ?? ofParts[field.name] ?? meaningOfArgument('Mutation', field.name);
    } else if (isObjectType(type) || isInterfaceType(type)) {
      const shared = type.getInterfaces().map((each) => each.getFields());
      for (const field of Object.values(type.getFields())) {
        field.description ??=
          shared.map((fields) => fields[field.name]?.description).find(Boolean) ??
          text(field.name) ??
          ofParts[field.name];
        for (const argument of field.args) argument.description ??= meaningOfArgument(type.name, argument.name);
      }
    }
  }
}

/** The texts of the record type to which a type belongs. Only creates say all of them: SDL is read as a whole. */
function textsOf(schema: GraphQLSchema, name: string, resources: readonly Resource[]): Texts {
  const owner = resources[ownerOf(name, resources)];
  const record = owner && schema.getType(owner.model);
  if (!isObjectType(record) || record.name === name) return () => undefined;
  const fields = record.getFields();
  const isCreate = /^Create(?!.*LineInput$)/.test(name);
  return (field) => {
    const text = fields[field]?.description ?? undefined;
    return isCreate ? text : text && firstSentence(text);
  };
}

/** Without what to do with it in a save, which a filter or an aggregate is none. */
const firstSentence = (text: string): string =>
  (/^.+?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replace(/; send it as .*/s, '.');

/** What the parts mean that many types have: those of lists, of filters and of orders. */
const ofParts: Readonly<Record<string, string>> = {
  edges: 'What this page holds, each with its cursor.',
  nodes: 'What this page holds, in the order of the list.',
  pageInfo: 'Whether there are pages before and after this one, and its cursors.',
  totalCount: 'How many there are in the whole list; counted only if asked for.',
  cursor: 'Its place in the list, for `after` and `before`.',
  node: 'What stands at this place.',
  and: 'All of these hold.',
  or: 'At least one of these holds.',
  not: 'This does not hold.',
  some: 'At least one line is like this.',
  every: 'Each line is like this, or there are none.',
  none: 'No line is like this.',
  field: 'What to sort by.',
  direction: 'Ascending or descending.',
  nulls: 'Whether nulls come first or last.',
  measure: 'What is computed of the field in each group.',
  by: 'Groups a date by its year, month or day.',
};

/**
 * Puts the records first, after the interfaces they share, then the roots, then the types that belong to one record type,
 * by record type, and then the others.
 */
function orderTypes(schema: GraphQLSchema, resources: readonly Resource[]): void {
  const types = schema.getTypeMap();
  const leading = [...first, ...resources.map(({ model }) => model), ...roots];
  const placeOf = (name: string): number => {
    const [place, owner] = [leading.indexOf(name), ownerOf(name, resources)];
    if (place >= 0) return place;
    return leading.length + (owner >= 0 ? owner : resources.length);
  };
  const placed = Object.entries(types).map(([name, type]) => ({ name, type, place: placeOf(name) }));
  // Types with the same place stay in the order in which they were made.
  placed.sort((one, other) => one.place - other.place);
  for (const { name } of placed) delete types[name];
  for (const { name, type } of placed) types[name] = type;
}

const first = ['Node', 'BusinessRecord', 'MainRecord', 'BusinessDocument'];
const roots = ['Query', 'Mutation', 'Subscription'];

/** The place of the record type that a name such as `CreateAssetRepairConsumedItemInput` holds: the longest, if several. */
function ownerOf(name: string, resources: readonly Resource[]): number {
  let owner = -1;
  for (const [index, { model, plural }] of resources.entries()) {
    const isLonger = model.length > (resources[owner]?.model.length ?? 0);
    if (isLonger && (name.includes(model) || name.includes(plural))) owner = index;
  }
  return owner;
}
