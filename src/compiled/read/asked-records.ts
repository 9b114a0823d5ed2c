/** Which records the arguments of `nodes` and `_entities` ask for. */
import { largestPageSize } from '../../model/limits.js';
import { pastIdIn } from '../../model/past-id.js';
import { type Resource, resourceById } from '../../model/resource.js';
import { isStorableText } from '../../model/storable.js';
import type { AskedRecord } from '../../schema/fields/find-node.js';
import { Representation } from '../../schema/types/representation.js';
import type { ArgumentValues } from '../argument-values.js';

/** The records that the arguments ask for; undefined for arguments that the resolvers refuse. */
export type AskedIn = (given: ArgumentValues) => readonly AskedRecord[] | undefined;

/** The records that `nodes` asks for; their ids determine the types. */
export function nodesIn(resources: readonly Resource[]): AskedIn {
  const resourceOfId = resourceById(resources);
  return ({ ids }) => {
    if (!Array.isArray(ids) || ids.length > largestPageSize) return undefined;
    const asked = ids.flatMap((id) =>
      typeof id === 'string' && isStorableText(id) && !pastIdIn(id) ? [{ resource: resourceOfId(id), id }] : [],
    );
    return asked.length === ids.length ? asked : undefined;
  };
}

/** The records that `_entities` asks for; the representations name the types. */
export const entitiesIn: AskedIn = ({ representations: given }) => {
  if (!Array.isArray(given) || given.length > largestPageSize) return undefined;
  const asked = given.filter((each) => each instanceof Representation);
  return asked.length === given.length ? asked : undefined;
};
