/** Checks the ids and times that a document brings: what is of the future would break it for ever. */

import { kindOf } from '../../../graphql/guards/value-problem.js';
import type { Values } from '../../../model/change.js';
import type { Problem } from '../../../model/errors/problem.js';
import { instantOfId } from '../../../model/ids.js';
import { parseInstant } from '../../../model/instant.js';
import { mostAhead } from '../../../model/limits.js';
import { type Resource, singletonId } from '../../../model/resource.js';

export type ValueCheck = (given: unknown) => string | undefined;

const isOfFuture = (instant: number): boolean => instant > Date.now() + mostAhead;

export function idProblem(resource: Resource, given: unknown): string | undefined {
  if (typeof given !== 'string') return `must be a string, not ${kindOf(given)}`;
  if (resource.kind === 'singleton') {
    return given === singletonId(resource) ? undefined : `must be ${singletonId(resource)}: there is only this one`;
  }
  const instant = given.startsWith(`${resource.slug}_`) ? instantOfId(given.slice(resource.slug.length)) : undefined;
  if (instant === undefined) {
    return `must be an id as this service makes them, ${resource.slug}_ and 26 characters; leave it out to get a new one`;
  }
  return isOfFuture(instant) ? 'must not be of the future, because ids rise with time' : undefined;
}

export const instantProblem: ValueCheck = (given) => {
  if (typeof given !== 'string') return `must be a string, not ${kindOf(given)}`;
  const found = parseInstant(given);
  if (typeof found === 'string') return found;
  return isOfFuture(found.getTime()) ? 'must not be in the future: no change could be after it' : undefined;
};

export function timeProblems({ createdAt, updatedAt }: Values): Problem[] {
  if (typeof createdAt !== 'string' || typeof updatedAt !== 'string') return [];
  if (Date.parse(updatedAt) >= Date.parse(createdAt)) return [];
  return [{ path: ['updatedAt'], code: 'parameter_invalid', message: 'must not be before createdAt' }];
}
