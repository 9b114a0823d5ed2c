/** The arguments of a compiled field: read from the operation once, given their values at each request. */
import { Kind, type ValueNode } from 'graphql';
import { isInt32 } from '../model/storable.js';
import { NotCompilable, type Selected } from './selection.js';
import type { Variables } from './variables.js';

/** An argument's value in one request; undefined where it is left out. */
export type Argument = (variables: Variables) => unknown;

/** The named arguments of a field. @throws NotCompilable where one of them is neither plain nor a variable */
export function argumentsOf<Name extends string>(
  { nodes: [first] }: Pick<Selected, 'nodes'>,
  names: readonly Name[],
): Partial<Record<Name, Argument>> {
  const found: Partial<Record<string, Argument>> = {};
  for (const { name, value } of first?.arguments ?? []) {
    if (names.some((known) => known === name.value)) found[name.value] = argument(value);
  }
  return found;
}

function argument(node: ValueNode): Argument {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    return (variables) => variables[name] ?? undefined;
  }
  if (node.kind === Kind.NULL) return () => undefined;
  if (node.kind === Kind.STRING) return () => node.value;
  if (node.kind === Kind.INT) return () => Number(node.value);
  throw new NotCompilable();
}

/** The number where it is one within the range. */
export function inRange(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && isInt32(value) && value >= least && value <= most ? value : undefined;
}
