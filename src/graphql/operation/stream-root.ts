/** The only field of a subscription: what it streams, and with which arguments. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { isObject } from '../../common/is-object.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import type { Resource } from '../../model/resource.js';
import { linkedByFilter } from '../../query/filter.js';
import { argumentProblems } from './arguments.js';
import { type Fragments, fragmentsOf } from './selected-nodes.js';

/** What a field of Subscription streams, in its extensions: the changes of one record type, or of all. */
export type StreamSource = { resource: Resource } | { resource?: undefined };

/** The source of a field of Subscription. @throws for any other field */
export function streamSourceOf({
  name,
  extensions,
}: {
  name: string;
  extensions: { stream?: StreamSource };
}): StreamSource {
  if (!extensions.stream) throw new Error(`Subscription.${name} does not say what it streams`);
  return extensions.stream;
}

export interface StreamRoot {
  /** Its name in the answer. */
  key: string;
  field: GraphQLField<unknown, RequestContext>;
  /** More than one if the field is selected repeatedly: they differ only in their selections. */
  nodes: readonly FieldNode[];
  args: Readonly<Record<string, unknown>>;
  /** The variables, coerced, with their default values. */
  variables: Readonly<Record<string, unknown>>;
}

/** The root of a valid subscription. @throws BAD_USER_INPUT for an invalid argument, OPERATION_RESOLUTION_FAILURE */
export function streamRoot(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: StreamRoot['variables'],
): StreamRoot {
  const nodes = rootNodes(definition.selectionSet, fragmentsOf(document), new Set());
  const [node] = nodes;
  const field = node && schema.getSubscriptionType()?.getFields()[node.name.value];
  if (!node || !field) throw errors.operationUnknown('A subscription selects one stream; `__typename` is none.');
  const args = getArgumentValues(field, node, variables);
  const problems = [...argumentProblems(field, args), ...linkProblems(field, args)];
  if (problems.length > 0) throw errors.badInput(problems);
  return { key: (node.alias ?? node.name).value, field, nodes, args, variables };
}

/**
 * A stream reports changes of its own records only. It would miss that a record enters or leaves the filter because a
 * linked record changes.
 */
function linkProblems(field: StreamRoot['field'], { where }: StreamRoot['args']): Problem[] {
  const { resource } = streamSourceOf(field);
  if (!resource || !isObject(where) || linkedByFilter(resource, where).size === 0) return [];
  const message =
    'follows a link to another record, whose changes this stream does not report; filter by the text itself';
  return [{ path: ['where'], code: 'parameter_invalid', message }];
}

/** Refuses what validation cannot judge without the variables. @throws OPERATION_RESOLUTION_FAILURE */
export function refuseConditions(document: DocumentNode, { selectionSet }: OperationDefinitionNode): void {
  rootNodes(selectionSet, fragmentsOf(document), new Set());
}

/** Validation judges all other directives. */
const conditions: ReadonlySet<string> = new Set([GraphQLSkipDirective.name, GraphQLIncludeDirective.name]);

/** @throws OPERATION_RESOLUTION_FAILURE for a condition, because a stream without its only field would be none */
function rootNodes({ selections }: SelectionSetNode, fragments: Fragments, seen: Set<string>): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.directives?.some(({ name }) => conditions.has(name.value))) {
      throw errors.operationUnknown('The field of a subscription takes no `@skip` and no `@include`; put them inside.');
    }
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootNodes(selection.selectionSet, fragments, seen);
    const { value } = selection.name;
    const fragment = fragments.get(value);
    if (!fragment || seen.has(value)) return [];
    seen.add(value);
    return rootNodes(fragment.selectionSet, fragments, seen);
  });
}

export const watchable = (schema: GraphQLSchema): Resource[] =>
  Object.values(schema.getSubscriptionType()?.getFields() ?? {}).flatMap(
    (field) => streamSourceOf(field).resource ?? [],
  );
