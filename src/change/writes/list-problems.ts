/** Problems with the items of a list of records, each with its path. */
import { errors } from '../../model/errors/errors.js';
import { quotedId } from '../../model/errors/gateway-error.js';
import type { Problem } from '../../model/errors/problem.js';
import type { Resource } from '../../model/resource.js';

/**
 * Refuses the whole list if there is a problem. @throws BAD_USER_INPUT, VERSION_CONFLICT or INVALID_STATE, by the first
 * problem
 */
export function refuseItems(problems: Problem[]): void {
  if (problems.length > 0) throw errors.badItems(problems);
}

/** Items that name the same record as an earlier one. */
export function repetitions(ids: readonly string[], pathOf: (index: number) => Problem['path']): Problem[] {
  const first = new Map<string, number>();
  return ids.flatMap((id, index) => {
    const before = first.get(id);
    first.set(id, before ?? index);
    if (before === undefined) return [];
    const message = `names the same record as number ${before + 1} of the list`;
    return [{ path: pathOf(index), code: 'parameter_invalid', message }];
  });
}

/** The problem of an item that names no record. */
export const missingRecord = ({ title }: Resource, id: string, path: Problem['path']): Problem => ({
  path,
  code: 'resource_missing',
  message: `names no ${title}: there is none with the id ${quotedId(id)}`,
});
