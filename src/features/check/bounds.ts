/** Versions, times and ids that an import refuses. An older version of the gateway or SQL by hand may have stored them. */

import { beyondBounds } from '../../change/mend-bounds.js';
import { firstIdOf, instantOfId } from '../../model/ids.js';
import { highestVersion, mostAhead } from '../../model/limits.js';
import { type Check, mostPlaces } from './check.js';

export const bounds: Check = {
  holds: 'versions and times are such as changes make them',
  isMendable: true,
  problems: async (inspection, resources) => {
    const found: string[] = [];
    for (const resource of resources) {
      for (const { id, version, createdAt, updatedAt } of await beyondBounds(inspection, resource, mostPlaces)) {
        if (version < 1 || version > highestVersion) found.push(`${id} has the version ${version}`);
        else found.push(`${id} was created at ${createdAt} and changed at ${updatedAt}`);
      }
    }
    return found;
  },
};

export const idsOfFuture: Check = {
  holds: 'no id is of the future',
  // Others may name the record by its id.
  isMendable: false,
  problems: async ({ rows }, resources) => {
    const found: string[] = [];
    for (const { model, kind, slug } of resources) {
      if (kind === 'singleton') continue;
      const ids = await rows(
        `SELECT "id" FROM "${model}" WHERE "id" >= '${firstIdOf(slug, Date.now() + mostAhead)}'
         AND length("id") = ${slug.length + 27} LIMIT ${mostPlaces}`,
      );
      for (const [id] of ids) {
        const instant = instantOfId(String(id).slice(slug.length));
        if (instant !== undefined) found.push(`${id} is an id of ${new Date(instant).toISOString()}; ${remedy}`);
      }
    }
    return found;
  },
};

const remedy = 'to change it, export the record, delete it, and import it without its id';
