import { nameOf, sentenceOf } from '../src/graphql/shown-errors/show-error.js';
import type { Problem } from '../src/model/errors/problem.js';
import { snakeOf } from '../src/model/names.js';

/** One invalid parameter of a request, with REST names. */
export interface RestProblem {
  param: string;
  code: Problem['code'];
  message: string;
  /** The number of problems that are not listed, if this one stands for them. */
  more?: number | undefined;
}

export function restProblem(param: string, code: Problem['code'], message: string, details: object = {}): RestProblem {
  return { param, code, message: sentenceOf({ path: [param], message }), ...details };
}

/** A problem found by GraphQL, with its path in REST form: without the argument's name and in snake_case. */
export function restProblemOf({ path, code, message, more, details }: Problem): RestProblem {
  if (path.length === 0) return { param: '', code, message: sentenceOf({ path, message }), more };
  const inner = path[0] === 'input' && path.length > 1 ? path.slice(1) : path;
  const param = nameOf(inner.map((part) => (typeof part === 'string' ? snakeOf(part) : part)));
  return restProblem(param, code, message, details);
}
