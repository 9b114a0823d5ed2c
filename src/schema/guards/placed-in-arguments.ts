import { type FieldNode, Kind, type ValueNode } from 'graphql';
import type { Problem } from '../../errors/problem.js';

/**
 * The problem of a variable at the place where the field uses it first, whatever the variable is called. For a field
 * that does not use the variable the message says so, because that field is not executed either.
 */
export function placedInArguments(given: Problem, field: FieldNode): Problem {
  const {
    path: [variable, ...rest],
    ...problem
  } = given;
  if (variable === undefined) return given;
  for (const { name, value } of field.arguments ?? []) {
    const place = placeIn(value, String(variable));
    if (place) return { ...problem, path: [name.value, ...place, ...rest] };
  }
  const message = `${problem.message}; another field of the operation uses it, and none of them was executed`;
  return { ...problem, message, path: [`$${variable}`, ...rest], isElsewhere: true };
}

function placeIn(value: ValueNode, variable: string): Problem['path'] | undefined {
  if (value.kind === Kind.VARIABLE) return value.name.value === variable ? [] : undefined;
  const inner: [string | number, ValueNode][] =
    value.kind === Kind.LIST
      ? value.values.map((each, index) => [index, each])
      : value.kind === Kind.OBJECT
        ? value.fields.map((each) => [each.name.value, each.value])
        : [];
  for (const [name, each] of inner) {
    const place = placeIn(each, variable);
    if (place) return [name, ...place];
  }
  return undefined;
}
