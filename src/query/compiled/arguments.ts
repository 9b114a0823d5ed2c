/** The scalar arguments of a compiled field: parsed once per operation, evaluated for each request. */
import { getNullableType, isLeafType, isNonNullType, Kind, type ValueNode } from 'graphql';
import { valueCheck } from '../../graphql/guards/value-problem.js';
import { constraintOf } from '../../graphql/inputs/constraint.js';
import { isInt32 } from '../../model/storable.js';
import type { Described } from './described-fields.js';
import { NotCompilable } from './selection.js';
import type { Variables } from './variables.js';

/** The value of an argument that the resolvers would refuse; neither a number nor a text. */
const refused = Symbol('an argument that the resolvers refuse');

/** The value of an argument in a request; undefined if it is left out. */
export type Argument = (variables: Variables) => unknown;

/** The named arguments of a field. @throws NotCompilable for a value that is neither a scalar nor a variable */
export function argumentsOf<Name extends string>(
  { definition, nodes: [first] }: Pick<Described, 'definition' | 'nodes'>,
  names: readonly Name[],
): Partial<Record<Name, Argument>> {
  const found: Partial<Record<string, Argument>> = {};
  for (const known of definition.args) {
    if (!names.some((name) => name === known.name)) continue;
    const type = getNullableType(known.type);
    if (!isLeafType(type)) throw new NotCompilable();
    const node = first?.arguments?.find(({ name }) => name.value === known.name);
    const value = node ? readerOf(node.value) : () => undefined;
    const constraint = constraintOf(known);
    const problem = valueCheck(type);
    const isRequired = isNonNullType(known.type);
    found[known.name] = (variables) => {
      const given = value(variables);
      if (given === undefined) return isRequired ? refused : undefined;
      return problem(given, constraint, true) === undefined ? given : refused;
    };
  }
  return found;
}

function readerOf(node: ValueNode): Argument {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    return (variables) => variables[name] ?? undefined;
  }
  if (node.kind === Kind.NULL) return () => undefined;
  if (node.kind === Kind.STRING) return () => node.value;
  if (node.kind === Kind.INT) return () => Number(node.value);
  throw new NotCompilable();
}

/** The value if it is an integer within the range; otherwise undefined. */
export function inRange(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && isInt32(value) && value >= least && value <= most ? value : undefined;
}
