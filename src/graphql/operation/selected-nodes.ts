/** The nodes of a document that select the fields of an object. */
import {
  type DirectiveNode,
  type DocumentNode,
  doTypesOverlap,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from 'graphql';
import { NotCompilable, type Variables } from '../../model/selection.js';

type Directed = { directives?: readonly DirectiveNode[] | undefined };

/** Whether the answer has a selection, by its directives. */
export type Takes = (node: Directed) => boolean;

/** What the meaning of a selection depends on. */
export interface Selecting {
  schema: GraphQLSchema;
  fragments: { get(name: string): FragmentDefinitionNode | undefined };
  takes: Takes;
}

/** Whether neither `@skip` nor `@include` leaves out a selection. */
export const isIncluded = (node: Directed, variables: Parameters<typeof getDirectiveValues>[2]): boolean =>
  !node.directives?.length ||
  (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false);

/** By the values of the variables in conditions. @throws NotCompilable for any other directive */
export const takingBy =
  (values: Variables): Takes =>
  (node) => {
    if (node.directives?.some(({ name }) => name.value !== 'include' && name.value !== 'skip'))
      throw new NotCompilable();
    return isIncluded(node, values);
  };

/** A field that is selected of an object, by the nodes that select it. */
export interface SelectedNodes {
  /** Its name in the answer. */
  key: string;
  name: string;
  /** The type that has it: that of the object; of an object of several types, that of the fragment which selects it. */
  type: GraphQLCompositeType;
  nodes: FieldNode[];
}

/**
 * The fields that are selected of an object of this type, in the order of the answer. A fragment counts once, also where
 * each of many nodes of the object spreads it: 300 nodes and 300 fields would make 90,000.
 */
export function nodesSelected(
  sets: readonly (SelectionSetNode | undefined)[],
  { schema, fragments, takes }: Selecting,
  type: GraphQLCompositeType,
): SelectedNodes[] {
  const found = new Map<string, SelectedNodes>();
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode, within: GraphQLCompositeType): void => {
    for (const selection of selections) {
      if (!takes(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const place = within === type ? key : `${within.name}.${key}`;
        const field = found.get(place);
        if (field) field.nodes.push(selection);
        else found.set(place, { key, name: selection.name.value, type: within, nodes: [selection] });
        continue;
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      if (isSpread && visited.has(selection.name.value)) continue;
      if (isSpread) visited.add(selection.name.value);
      const fragment = isSpread ? fragments.get(selection.name.value) : selection;
      if (!fragment || !takes(fragment)) continue;
      const condition = fragment.typeCondition ? schema.getType(fragment.typeCondition.name.value) : within;
      if (isCompositeType(condition) && doTypesOverlap(schema, condition, type))
        collect(fragment.selectionSet, isObjectType(type) ? type : condition);
    }
  };
  for (const set of sets) if (set) collect(set, type);
  return [...found.values()];
}

export function holdsVariable(node: ValueNode): boolean {
  if (node.kind === Kind.LIST) return node.values.some(holdsVariable);
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => holdsVariable(value));
  return node.kind === Kind.VARIABLE;
}

/** Whether a document has directives, and the variables in them that the operation declares. */
export function conditionsIn(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode) {
  const declared = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  const names = new Set<string>();
  let isConditional = false;
  visit(document, {
    Directive({ arguments: given = [] }) {
      isConditional = true;
      for (const { value } of given) {
        if (value.kind === Kind.VARIABLE && declared.has(value.name.value)) names.add(value.name.value);
      }
    },
  });
  return { isConditional, names };
}

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}
