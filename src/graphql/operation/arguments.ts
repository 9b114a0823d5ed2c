/** The arguments of a field of an operation: what of them depends on no request is found out once. */

import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  Kind,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import type { Problem } from '../../model/errors/problem.js';
import type { ArgumentValues, Variables } from '../../model/selection.js';
import { checkedType, checkInput } from '../guards/check-input.js';
import { constraintOf } from '../inputs/filters.js';
import { holdsVariable } from './selected-nodes.js';

type Definition = Pick<GraphQLField<unknown, unknown>, 'args'>;

export const argumentProblems = ({ args }: Definition, given: ArgumentValues): Problem[] =>
  args.flatMap((argument) => {
    const { name } = argument;
    return checkInput(given[name], formOf(argument), [name], { isCoerced: true }).problems;
  });

const formOf = (argument: GraphQLArgument) => ({
  type: checkedType(argument.type),
  constraint: constraintOf(argument),
});

/** The value of an argument that the resolvers would refuse; neither a number nor a text. */
export const refusedArgument = Symbol('an argument that the resolvers refuse');

/** Reads an argument of a field from the coerced variables of a request. */
export function argumentReader(
  argument: GraphQLArgument,
  node: FieldNode | undefined,
  declared: readonly VariableDefinitionNode[],
): (variables: Variables) => unknown {
  const { name, type, defaultValue } = argument;
  const written = node?.arguments?.find((each) => each.name.value === name)?.value;
  if (!written) return () => defaultValue;
  const [form, path] = [formOf(argument), [name]];
  const checkedBy = (how: Parameters<typeof checkInput>[3]) => (value: unknown) =>
    checkInput(value, form, path, how).problems.length === 0 ? value : refusedArgument;
  if (written.kind === Kind.VARIABLE) {
    const variable = written.name.value;
    // Admission has checked what is inside, but for the default of a variable.
    const isChecked = declared.some((each) => each.variable.name.value === variable && !each.defaultValue);
    const checked = checkedBy({ isCoerced: true, isChecked });
    return (variables) => checked(variables[variable] === undefined ? defaultValue : variables[variable]);
  }
  const checked = checkedBy({ isCoerced: true });
  const literal = (variables: Variables) => {
    const value = valueFromAST(written, type, variables);
    return value === undefined ? refusedArgument : checked(value);
  };
  if (holdsVariable(written)) return literal;
  const constant = literal({});
  return () => constant;
}
