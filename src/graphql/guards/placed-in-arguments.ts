import { type FieldNode, Kind, type ValueNode } from 'graphql';
import type { Problem } from '../../model/errors/problem.js';

/**
 * The problems of variables that a field uses, at the place where it uses each first, whatever it is called. A field that uses
 * none of them has the first problem, and the message says so, because that field is not executed either.
 */
export function placedInArguments(given: readonly Problem[], field: FieldNode): readonly Problem[] {
  const placed = given.map((problem) => placedIn(problem, field));
  const own = placed.filter(({ isElsewhere }) => !isElsewhere);
  return own.some(({ path }) => path.length > 0) ? own : placed.slice(0, 1);
}

function placedIn(given: Problem, field: FieldNode): Problem {
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
