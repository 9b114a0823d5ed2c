import type { GraphQLField, GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { oncePer } from '../../common/kept.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { type Guard, guardLoad, loadOf } from '../answered-by-sql.js';
import { argumentProblems } from '../operation/arguments.js';
import { fieldsBelow, selectionIn } from '../operation/selection.js';

/**
 * Checks the arguments of every field before it is resolved. GraphQL's coercion has checked their types; this refuses
 * what coercion accepts in literals (`1e999`, U+0000, null for a required field). Variables were checked by the same
 * rules at admission.
 */
export const guardArguments: Guard = (field, type, schema) => {
  const isMutation = type === schema.getMutationType();
  if (field.args.length === 0 && !isMutation) return undefined;
  // The arguments of a field are the same for each record of a list.
  const known = oncePer((_node: object) => oncePer((_variables: object, find: () => Problem[]) => find()));
  planOnlyRight(field);
  return (resolve) => (source, args, context, info) => {
    const problems = known(info.fieldNodes[0] ?? info)(info.variableValues, () => [
      ...argumentProblems(field, args),
      ...(isMutation ? problemsBelow(info) : []),
    ]);
    if (problems.length > 0) throw errors.badInput(problems);
    return resolve(source, args, context, info);
  };
};

type Field = GraphQLField<unknown, RequestContext>;
type Arguments = Readonly<Record<string, unknown>>;

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

/** Everything wrong with the arguments below a mutation, each problem with the path to its argument. */
const problemsBelow = (info: GraphQLResolveInfo): Problem[] =>
  [...fieldsBelow(selectionIn(info).fields, info.variableValues)].flatMap(({ definition, arguments: given, names }) =>
    argumentProblems(definition, given).map((problem) => ({ ...problem, path: [...names, ...problem.path] })),
  );
