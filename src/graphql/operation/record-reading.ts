/**
 * The query that reads what a subscription selects of one record. It is made from the subscription's own document: the
 * selection of the event becomes a selection of Query, where `record` is `node(id: $__id)` and every other field is
 * left out. So aliases, fragments and conditions mean what they mean in the subscription. With `where`, `record` is the
 * list of the records that fulfil it and have this id, so that one statement reads the record and shows whether it
 * matches.
 */

import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { oncePer } from '../../common/kept.js';
import { catalogue } from '../../model/catalogue.js';
import type { Resource } from '../../model/resource.js';
import type { Filter } from '../../query/filter.js';
import { type StreamRoot, streamSourceOf } from './stream-root.js';

/** A field of Query that the gateway writes, without selections of its own. */
function fieldIn(text: string): FieldNode {
  const [field] = operationIn(`{ ${text} }`).selectionSet.selections;
  if (field?.kind !== Kind.FIELD) throw new Error(`${text} is no field`);
  return field;
}

function operationIn(text: string): OperationDefinitionNode {
  const [definition] = parse(text, { noLocation: true }).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${text} is no operation`);
  return definition;
}

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

/** Makes the query of each subscription, with `where` and without, once while its document is cached. */
export function recordReadings() {
  const [plain, filtered] = [oncePer(recordReading), oncePer(recordReading)];
  return (document: DocumentNode, definition: OperationDefinitionNode, { field, nodes, args }: StreamRoot) => {
    const { resource } = streamSourceOf(field);
    return isFilter(args.where)
      ? filtered(definition, document, nodes, resource, resource)
      : plain(definition, document, nodes, resource, undefined);
  };
}

/** Whether an argument `where` holds a condition. */
export const isFilter = (where: unknown): where is Filter =>
  typeof where === 'object' && where !== null && Object.keys(where).length > 0;

/** `source` is the type of all records, and `filtered`, with `where`, that of the list in which the record is looked up. */
function recordReading(
  subscription: OperationDefinitionNode,
  { definitions }: DocumentNode,
  roots: readonly FieldNode[],
  source: Resource | undefined,
  filtered: Resource | undefined,
): Record<'document', DocumentNode> & Record<'definition', OperationDefinitionNode> {
  const [root] = roots;
  const where = root?.arguments?.find(({ name }) => name.value === 'where')?.value;
  const lookUp = filtered && where ? lookUpIn(filtered, where) : lookUpById;
  const selected = roots.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
  const isRead = selected.some((each) => each.kind === Kind.FIELD && isRecord(each) && !each.directives?.length);
  const model = source?.model;
  const selections = selected.map((each) => ofQuery(each, lookUp, model));
  // Whether the record matches has to be known even if the record is not selected: by the name `__matches` then.
  if (filtered && !isRead) selections.push(lookUp(fieldIn('__matches: record { id }')));
  const parent = filtered?.kind === 'child' ? `, $${parentVariable}: ID!` : '';
  const { variableDefinitions: own = [] } = operationIn(`query ($${idVariable}: ID!${parent}) { __typename }`);
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
    const typeCondition = namedType('Query');
    return [{ ...each, typeCondition, selectionSet: within(each.selectionSet, lookUp, event.model) }];
  });
  return { document: { kind: Kind.DOCUMENT, definitions: [definition, ...fragments] }, definition };
}

/** Makes the field of Query that answers a field `record`; `model` names its type, where the type of the event says it. */
type LookUp = (record: FieldNode, model?: string) => FieldNode;

const isRecord = (node: FieldNode): boolean => node.name.value === 'record';

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
  ...byId,
  selectionSet: selectionSet && model !== undefined ? setOf(onType(model, selectionSet)) : selectionSet,
});

const { name: node, arguments: byIdArguments } = fieldIn(`node(id: $${idVariable})`);
const byId = { name: node, arguments: byIdArguments };

const namedType = (name: string): NamedTypeNode => ({ kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } });

const setOf = (selection: SelectionNode): SelectionSetNode => ({ kind: Kind.SELECTION_SET, selections: [selection] });

const onType = (model: string, selectionSet: SelectionSetNode): SelectionNode => ({
  kind: Kind.INLINE_FRAGMENT,
  typeCondition: namedType(model),
  selectionSet,
});

/** `assetRepairs(first: 1, where: {and: [<where>, {id: {eq: $__id}}]}) { nodes { … } }` */
function lookUpIn({ many, kind }: Resource, where: ValueNode): LookUp {
  const parent = kind === 'child' ? `parentId: $${parentVariable}, ` : '';
  const list = fieldIn(`${many}(${parent}first: 1, where: {and: [${print(where)}, {id: {eq: $${idVariable}}}]})`);
  const { name, arguments: given } = list;
  return ({ selectionSet, ...record }) => ({
    ...record,
    name,
    arguments: given,
    selectionSet: setOf({ ...fieldIn('nodes'), selectionSet }),
  });
}

/** Takes the place of a field of the event, so that no selection becomes empty. */
const nothing = fieldIn('__typename @skip(if: true)');
