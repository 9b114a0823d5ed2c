/**
 * The query that reads what a subscription selects of one record. It is made from the subscription's own document: the
 * selection of the event becomes a selection of Query, where `record` is `node(id: $__id)` and every other field is
 * left out. So aliases, fragments and conditions mean what they mean in the subscription. With `where`, `record` is the
 * list of the records that fulfil it and have this id, so that one statement reads the record and shows whether it
 * matches.
 */
import {
  type ArgumentNode,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import { catalogue } from '../../model/catalogue.js';
import type { Resource } from '../../model/resource.js';
import type { Filter } from '../../query/filter.js';
import { type StreamRoot, streamSourceOf } from './stream-root.js';

/** Parts of GraphQL documents that are written by the gateway. */
const name = (value: string): NameNode => ({ kind: Kind.NAME, value });
const variable = (value: string) => ({ kind: Kind.VARIABLE, name: name(value) }) as const;
const argument = (of: string, value: ValueNode): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: name(of),
  value,
});

const object = (fields: Record<string, ValueNode>): ValueNode => ({
  kind: Kind.OBJECT,
  fields: Object.entries(fields).map(([key, value]) => ({ kind: Kind.OBJECT_FIELD, name: name(key), value })),
});

const field = (of: string, ...selections: FieldNode[]): FieldNode => ({
  kind: Kind.FIELD,
  name: name(of),
  ...(selections.length > 0 ? { selectionSet: { kind: Kind.SELECTION_SET, selections } } : {}),
});

/** The name of the interface of the events of streams. */
export const recordEventName = 'RecordEvent';

/** The name of the type of a notice among the events of all types. */
export const noticeEventName = 'NoticeEvent';

/** The name of the type of events of one type of records, or of notices. */
export const eventNameOf = (model: string | undefined): string => (model ? `${model}Event` : noticeEventName);

/** The type of records whose events have this type. */
const modelOfEvent: ReadonlyMap<string, string> = new Map(
  Object.keys(catalogue).map((model) => [eventNameOf(model), model]),
);

/** Whether a selection is one of an event, and of which type the record is; undefined for a type of something else. */
function eventTypeNamed(name: string): { model: string | undefined } | undefined {
  const model = modelOfEvent.get(name);
  return model !== undefined || name === recordEventName || name === noticeEventName ? { model } : undefined;
}

/** The variables that an event adds. Clients cannot declare names like these. */
export const idVariable = '__id';
export const parentVariable = '__parentId';

/** The name, in the answer, of the list that shows whether a record matches, if the record itself is not selected. */
export const matchesKey = '__matches';

interface RecordReading {
  document: DocumentNode;
  definition: OperationDefinitionNode;
}

/** Keeps the query of each subscription while its document is cached, so that it is compiled once. */
export class RecordReadings {
  readonly #plain = new WeakMap<OperationDefinitionNode, RecordReading>();
  readonly #filtered = new WeakMap<OperationDefinitionNode, RecordReading>();

  of(document: DocumentNode, definition: OperationDefinitionNode, { field, nodes, args }: StreamRoot): RecordReading {
    const { resource } = streamSourceOf(field);
    const filtered = isFilter(args.where) ? resource : undefined;
    const readings = filtered ? this.#filtered : this.#plain;
    const reading = readings.get(definition) ?? recordReading(document, definition, nodes, resource, filtered);
    readings.set(definition, reading);
    return reading;
  }
}

/** Whether an argument `where` holds a condition. */
export const isFilter = (where: unknown): where is Filter =>
  typeof where === 'object' && where !== null && Object.keys(where).length > 0;

/** `source` is the type of all records, and `filtered`, with `where`, that of the list in which the record is looked up. */
function recordReading(
  { definitions }: DocumentNode,
  subscription: OperationDefinitionNode,
  roots: readonly FieldNode[],
  source: Resource | undefined,
  filtered: Resource | undefined,
): RecordReading {
  const [root] = roots;
  const where = root?.arguments?.find(({ name }) => name.value === 'where')?.value;
  const lookUp = filtered && where ? lookUpIn(filtered, where) : lookUpById;
  const selected = roots.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  const isRead = selected.some((each) => each.kind === Kind.FIELD && isRecord(each) && !each.directives?.length);
  const model = source?.model;
  const selections = selected.map((each) => ofQuery(each, lookUp, model));
  // Whether the record matches has to be known even if the record is not selected.
  if (filtered && !isRead) selections.push({ ...lookUp(field('record', field('id'))), alias: name(matchesKey) });
  const own = [
    variableDefinition(idVariable),
    ...(filtered?.kind === 'child' ? [variableDefinition(parentVariable)] : []),
  ];
  const definition: OperationDefinitionNode = {
    ...subscription,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [...(subscription.variableDefinitions ?? []), ...own],
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  };
  const fragments = definitions.flatMap((each): DefinitionNode[] => {
    if (each.kind !== Kind.FRAGMENT_DEFINITION) return [];
    const event = eventTypeNamed(each.typeCondition.name.value);
    if (!event) return [each];
    const typeCondition = { ...each.typeCondition, name: name('Query') };
    return [{ ...each, typeCondition, selectionSet: within(each.selectionSet, lookUp, event.model) }];
  });
  return { document: { kind: Kind.DOCUMENT, definitions: [definition, ...fragments] }, definition };
}

/** Makes the field of Query that answers a field `record`; `model` names its type, where the type of the event says it. */
type LookUp = (record: FieldNode, model?: string) => FieldNode;

const isRecord = (node: FieldNode): boolean => node.name.value === 'record';

/** A selection of an event as one of Query. */
function ofQuery(selection: SelectionNode, lookUp: LookUp, model: string | undefined): SelectionNode {
  if (selection.kind === Kind.FRAGMENT_SPREAD) return selection;
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const { typeCondition, ...others } = selection;
    const event = typeCondition ? eventTypeNamed(typeCondition.name.value) : { model };
    return { ...others, selectionSet: within(selection.selectionSet, lookUp, event?.model) };
  }
  return isRecord(selection) ? { ...lookUp(selection, model), alias: selection.alias ?? selection.name } : nothing;
}

const within = ({ selections }: SelectionSetNode, lookUp: LookUp, model: string | undefined): SelectionSetNode => ({
  kind: Kind.SELECTION_SET,
  selections: selections.map((each) => ofQuery(each, lookUp, model)),
});

/** `node(id: $__id) { ... on AssetRepair { … } }` */
const lookUpById: LookUp = ({ selectionSet, ...record }, model) => ({
  ...record,
  name: name('node'),
  arguments: [argument('id', variable(idVariable))],
  selectionSet: selectionSet && model !== undefined ? onType(model, selectionSet) : selectionSet,
});

const onType = (model: string, selectionSet: SelectionSetNode): SelectionSetNode => ({
  kind: Kind.SELECTION_SET,
  selections: [
    { kind: Kind.INLINE_FRAGMENT, typeCondition: { kind: Kind.NAMED_TYPE, name: name(model) }, selectionSet },
  ],
});

/** `assetRepairs(first: 1, where: {and: [<where>, {id: {eq: $__id}}]}) { nodes { … } }` */
function lookUpIn({ many, kind }: Resource, where: ValueNode): LookUp {
  const isIt = object({ id: object({ eq: variable(idVariable) }) });
  const both: ValueNode = { kind: Kind.LIST, values: [where, isIt] };
  const args = [
    ...(kind === 'child' ? [argument('parentId', variable(parentVariable))] : []),
    argument('first', { kind: Kind.INT, value: '1' }),
    argument('where', object({ and: both })),
  ];
  return ({ selectionSet, ...record }) => {
    const nodes: FieldNode = { ...field('nodes'), ...(selectionSet ? { selectionSet } : {}) };
    const selections = [nodes];
    return { ...record, name: name(many), arguments: args, selectionSet: { kind: Kind.SELECTION_SET, selections } };
  };
}

const variableDefinition = (of: string): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: variable(of),
  type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: name('ID') } },
});

const never: DirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: name('skip'),
  arguments: [argument('if', { kind: Kind.BOOLEAN, value: true })],
};

/** Takes the place of a field of the event, so that no selection becomes empty. */
const nothing: FieldNode = { ...field('__typename'), directives: [never] };
