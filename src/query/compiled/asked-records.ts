/** Which records the arguments of `nodes` and `_entities` ask for. */

import { Representation } from '../../features/federation/representation.js';
import type { AskedRecord } from '../../graphql/fields/find-node.js';
import { largestPageSize } from '../../model/limits.js';
import { pastIdIn } from '../../model/past-id.js';
import { type Resource, resourceById } from '../../model/resource.js';
import { isStorableText } from '../../model/storable.js';
import type { ArgumentValues } from './argument-values.js';

/** The records that the arguments ask for; undefined for arguments that the resolvers refuse. */
export type AskedIn = (given: ArgumentValues) => readonly AskedRecord[] | undefined;

/** A list in a variable is the same object for all fields that name it: 48 of them with 1,000 ids need not hold 48,000. */
const askedBy = new WeakMap<object, readonly AskedRecord[]>();

/** The ids of a type as JSON, once for all fields that ask for the same. */
export function idsAsked(asked: readonly AskedRecord[], type: Resource): string {
  const texts = idsBy.get(asked) ?? new Map<Resource, string>();
  idsBy.set(asked, texts);
  const text = texts.get(type) ?? JSON.stringify(asked.flatMap(({ resource, id }) => (resource === type ? id : [])));
  texts.set(type, text);
  return text;
}

const idsBy = new WeakMap<readonly AskedRecord[], Map<Resource, string>>();

/** The records that `nodes` asks for; their ids determine the types. */
export function nodesIn(resources: readonly Resource[]): AskedIn {
  const resourceOfId = resourceById(resources);
  return ({ ids }) => {
    if (!Array.isArray(ids) || ids.length > largestPageSize) return undefined;
    const before = askedBy.get(ids);
    if (before) return before;
    const asked = ids.flatMap((id) =>
      typeof id === 'string' && isStorableText(id) && !pastIdIn(id) ? [{ resource: resourceOfId(id), id }] : [],
    );
    if (asked.length !== ids.length) return undefined;
    askedBy.set(ids, asked);
    return asked;
  };
}

/** The records that `_entities` asks for; the representations name the types. */
export const entitiesIn: AskedIn = ({ representations: given }) => {
  if (!Array.isArray(given) || given.length > largestPageSize) return undefined;
  const asked = given.filter((each) => each instanceof Representation);
  return asked.length === given.length ? asked : undefined;
};
