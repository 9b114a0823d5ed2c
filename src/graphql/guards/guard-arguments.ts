import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { type Guard, guardLoad, loadOf } from '../answered-by-sql.js';
import { constraintOf } from '../inputs/filters.js';
import { isIncluded } from '../operation/selected-nodes.js';
import { checkedType, inputProblems } from './value-problem.js';

/**
 * Checks the arguments of every field before it is resolved. GraphQL's coercion has checked their types; this refuses
 * what coercion accepts in literals (`1e999`, U+0000, null for a required field). Variables were checked by the same
 * rules at admission.
 */
export const guardArguments: Guard = (field, type, schema) => {
  const isMutation = type === schema.getMutationType();
  if (field.args.length === 0 && !isMutation) return undefined;
  const known = new WeakMap<object, WeakMap<object, Problem[]>>();
  planOnlyRight(field);
  return (resolve) => (source, args, context, info) => {
    // The arguments of a field are the same for each record of a list.
    const problems = remembered(known, info, () => [
      ...argumentProblems(field, args),
      ...(isMutation ? selectionProblems(info, argumentProblems) : []),
    ]);
    if (problems.length > 0) throw errors.badInput(problems);
    return resolve(source, args, context, info);
  };
};

type Field = GraphQLField<unknown, RequestContext>;
type Arguments = Readonly<Record<string, unknown>>;

/** The result of `work` for a field of an operation and the variables of its request. */
function remembered<Result>(
  known: WeakMap<object, WeakMap<object, Result>>,
  { fieldNodes: [node], variableValues }: GraphQLResolveInfo,
  work: () => Result,
): Result {
  if (!node) return work();
  const ofNode = known.get(node) ?? new WeakMap<object, Result>();
  known.set(node, ofNode);
  const result = ofNode.get(variableValues) ?? work();
  ofNode.set(variableValues, result);
  return result;
}

/** All problems of a field's coerced arguments. */
export function argumentProblems({ args: definitions }: Pick<Field, 'args'>, args: Arguments): Problem[] {
  return definitions.flatMap((argument) => {
    const named = { type: checkedType(argument.type), constraint: constraintOf(argument) };
    return inputProblems(args[argument.name], named, [argument.name], { isCoerced: true });
  });
}

/**
 * Pothos reads lines together with their record and computes their query before they are resolved. With arguments that
 * will be refused, they are left out of that query.
 */
function planOnlyRight(field: Field): void {
  const plan = loadOf(field);
  if (typeof plan !== 'function') return;
  const planned = (args: Arguments, ...others: unknown[]): unknown =>
    argumentProblems(field, args).length > 0 ? { select: {} } : plan(args, ...others);
  guardLoad(field, planned);
}

/** What is wrong with the arguments of one field. */
type ProblemsOf = (field: GraphQLField<unknown, RequestContext>, args: Readonly<Record<string, unknown>>) => Problem[];

/** What is selected below a field, or by a whole operation, where `returnType` is the type of its root. */
export type SelectionInfo = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues' | 'returnType'> & {
  fieldNodes: readonly Pick<FieldNode, 'selectionSet'>[];
};

/**
 * Everything wrong with the arguments of the fields below a field, each problem with the path to its argument. A
 * mutation asks before it writes: its answer is resolved only afterwards, when a refusal would come after the change
 * was made. @throws GraphQLError for an argument that cannot be coerced
 */
export function selectionProblems(info: SelectionInfo, problemsOf: ProblemsOf): Problem[] {
  const { schema, fragments, variableValues } = info;

  const inSet = (set: SelectionSetNode | undefined, type: GraphQLNamedType | undefined): Problem[] =>
    set?.selections
      .filter((node) => isIncluded(node, variableValues))
      .flatMap((selection) => inSelection(selection, type)) ?? [];

  const inSelection = (selection: SelectionNode, type: GraphQLNamedType | undefined): Problem[] => {
    if (selection.kind === Kind.FIELD) return inField(selection, type);
    const part = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    if (!part) return [];
    return inSet(part.selectionSet, part.typeCondition ? schema.getType(part.typeCondition.name.value) : type);
  };

  const inField = (node: FieldNode, type: GraphQLNamedType | undefined): Problem[] => {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return [];
    const own = problemsOf(field, getArgumentValues(field, node, variableValues));
    const key = node.alias?.value ?? node.name.value;
    return [...own, ...inSet(node.selectionSet, getNamedType(field.type))].map((problem) => ({
      ...problem,
      path: [key, ...problem.path],
    }));
  };

  return info.fieldNodes.flatMap(({ selectionSet }) => inSet(selectionSet, getNamedType(info.returnType)));
}
