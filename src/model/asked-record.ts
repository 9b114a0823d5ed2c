/** Which records of any type the arguments of a field ask for. */
import { oncePer } from '../common/kept.js';
import { isStorableText } from './field.js';
import { pastIdIn } from './ids.js';
import { largestPageSize } from './limits.js';
import { type Resource, resourceById } from './resource.js';

/** A record that is asked for by its type and id. The id may be that of another type, or of no record. */
export class AskedRecord {
  constructor(
    /** Without a resource there is none. */
    readonly resource: Resource | undefined,
    readonly id: string,
  ) {}
}

/** The records that the arguments ask for; undefined for arguments that the resolvers refuse. */
export type AskedIn = (given: Readonly<Record<string, unknown>>) => readonly AskedRecord[] | undefined;

/** The records that `nodes` asks for; their ids determine the types. */
export const nodesIn = oncePer((resources: readonly Resource[]): AskedIn => {
  const resourceOfId = resourceById(resources);
  // A list in a variable is the same object for all fields that name it: 48 of them with 1,000 ids need not hold 48,000.
  const askedBy = oncePer((ids: readonly unknown[]) => {
    const asked = ids.flatMap((id) =>
      typeof id === 'string' && isStorableText(id) && !pastIdIn(id) ? [new AskedRecord(resourceOfId(id), id)] : [],
    );
    return asked.length === ids.length ? asked : undefined;
  });
  return ({ ids }) => (Array.isArray(ids) && ids.length <= largestPageSize ? askedBy(ids) : undefined);
});
