/** What can be wrong with the items of a list of records, each told at its place. */
import { errors, type Problem } from '../../errors.js';
import type { Resource } from '../../model/resource.js';

/** Nothing happens where anything is wrong. @throws BAD_USER_INPUT, VERSION_CONFLICT or INVALID_STATE, as the first is */
export function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw errors.badItems(problems);
}

/** Items of a list that name a record again. */
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

/** An item that names no record. */
export const unknown = ({ title }: Resource, id: string, path: Problem['path']): Problem => ({
  path,
  code: 'resource_missing',
  message: `names no ${title}: there is none with the id ${JSON.stringify(id)}`,
});
