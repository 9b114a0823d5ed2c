import { type GraphQLField, type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { guardLoad, guardResolver, loadOf } from '../answered-by-sql.js';
import { constraintOf } from '../inputs/filters.js';
import { selectionProblems } from '../selection-problems.js';
import { inputProblems } from './input-problems.js';
import { checkedType } from './value-problem.js';

/**
 * Checks the arguments of every field before it is resolved. GraphQL's coercion has checked their types; this refuses
 * what coercion accepts in literals (`1e999`, U+0000, null for a required field). Variables were checked by the same
 * rules at admission.
 */
export function guardArguments(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isMutation = type === schema.getMutationType();
    for (const field of Object.values(type.getFields())) {
      if (field.args.length > 0 || isMutation) guard(field, isMutation);
    }
  }
  return schema;
}

type Field = GraphQLField<unknown, RequestContext>;
type Arguments = Readonly<Record<string, unknown>>;

function guard(field: Field, isMutation: boolean): void {
  const known = new WeakMap<object, WeakMap<object, Problem[]>>();
  guardResolver(field, (resolve) => (source, args, context, info) => {
    // The arguments of a field are the same for each record of a list.
    const problems = remembered(known, info, () => [
      ...argumentProblems(field, args),
      ...(isMutation ? selectionProblems(info, argumentProblems) : []),
    ]);
    if (problems.length > 0) throw errors.badInput(problems);
    return resolve(source, args, context, info);
  });
  planOnlyRight(field);
}

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
