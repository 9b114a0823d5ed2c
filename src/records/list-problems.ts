/** What can be wrong with the items of a list of records, each told at its place. */
import { errors, type Problem } from '../errors.js';
import type { Resource } from '../model/resource.js';

/** Nothing happens where anything is wrong. @throws BAD_USER_INPUT, VERSION_CONFLICT or INVALID_STATE, as the first is */
export function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw errors.badItems(problems);
}

/** Items that name a record again. */
export function repetitions<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  pathOf: (index: number) => Problem['path'],
): Problem[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index) => {
    const before = first.get(idOf(item));
    first.set(idOf(item), before ?? index);
    if (before === undefined) return [];
    return [
      {
        path: pathOf(index),
        code: 'parameter_invalid',
        message: `names the same record as number ${before + 1} of the list`,
      },
    ];
  });
}

/** An item that names no record. */
export const unknown = ({ title }: Resource, id: string, path: Problem['path']): Problem => ({
  path,
  code: 'resource_missing',
  message: `names no ${title}: there is none with the id ${JSON.stringify(id)}`,
});
