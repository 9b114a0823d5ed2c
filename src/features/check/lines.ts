/** The invariants of the lines of documents. */

import type { Inspection } from '../../database/inspection.js';
import type { Resource } from '../../model/resource.js';
import { scopeOf } from '../../query/scope.js';
import { type Check, mostPlaces } from './check.js';

/** A parent whose lines of one kind are not numbered from 1 without gaps. */
export interface Misnumbered {
  resource: Resource;
  parentId: string;
}

export async function misnumbered(
  { rows }: Inspection,
  resources: readonly Resource[],
  most: number,
): Promise<Misnumbered[]> {
  const found: Misnumbered[] = [];
  for (const resource of linesIn(resources)) {
    const parents = await rows(
      `SELECT "${scopeOf(resource)}" FROM "${resource.model}" GROUP BY "${scopeOf(resource)}"
       HAVING min("idx") <> 1 OR max("idx") <> count(*) OR count(DISTINCT "idx") <> count(*) LIMIT ${most}`,
    );
    found.push(...parents.map(([id]) => ({ resource, parentId: String(id) })));
  }
  return found;
}

export const numbering: Check = {
  holds: 'lines are numbered from 1 without gaps',
  isMendable: true,
  problems: async (inspection, resources) =>
    (await misnumbered(inspection, resources, mostPlaces)).map(
      ({ resource, parentId }) => `The lines ${resource.model} of ${parentId} are not numbered from 1 without gaps`,
    ),
};

export const parents: Check = {
  holds: 'every line has its parent',
  isMendable: false,
  problems: async ({ rows }, resources) => {
    const found: string[] = [];
    for (const resource of linesIn(resources)) {
      for (const { resource: parent, reference, link } of resource.parents) {
        const orphans = await rows(
          `SELECT line."id" FROM "${resource.model}" AS line LEFT JOIN "${parent.model}" AS parent ON parent."id" = line."${reference}"
           WHERE line."${reference}" IS NOT NULL AND parent."id" IS NULL LIMIT ${mostPlaces}`,
        );
        found.push(...orphans.map(([id]) => `The parent of the line ${id} is missing`));
        if (!link) continue;
        const unlinked = await rows(
          `SELECT line."id" FROM "${resource.model}" AS line JOIN "${parent.model}" AS parent ON parent."id" = line."${scopeOf(resource)}"
           WHERE line."${reference}" IS NULL OR line."${reference}" <> parent."id" LIMIT ${mostPlaces}`,
        );
        found.push(...unlinked.map(([id]) => `The line ${id} is not linked to its parent`));
      }
    }
    return found;
  },
};

const linesIn = (resources: readonly Resource[]) => resources.filter(({ kind }) => kind === 'child');
