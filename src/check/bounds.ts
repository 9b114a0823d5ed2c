/** Versions, times and ids that an import would refuse: older versions of the gateway took them, and so does SQL by hand. */
import type { Inspection } from '../database/inspection.js';
import { firstIdOf, instantOfId } from '../model/ids.js';
import { highestBroughtVersion, mostAhead } from '../model/limits.js';
import type { Resource } from '../model/resource.js';
import { type Check, mostPlaces } from './check.js';

/** Above it a record has few changes left: versions end at 2,147,483,647. */
const highestVersion = 2 * highestBroughtVersion;

export const bounds: Check = {
  holds: 'versions and times are such as changes make them',
  isMendable: true,
  problems: async (inspection, resources) => {
    const found: string[] = [];
    for (const resource of resources) {
      for (const { id, version, createdAt, updatedAt } of await beyond(inspection, resource, mostPlaces)) {
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

interface Beyond {
  id: string;
  version: number;
  /** Empty for lines. */
  createdAt: string;
  updatedAt: string;
}

async function beyond({ provider, rows }: Inspection, resource: Resource, most: number): Promise<Beyond[]> {
  const { model, timestamps } = resource;
  const latest = latestIn(provider);
  const isBeyond = [`"version" < 1 OR "version" > ${highestVersion}`];
  if (timestamps) isBeyond.push(`"createdAt" > ${latest} OR "updatedAt" > ${latest} OR "updatedAt" < "createdAt"`);
  const times = timestamps ? `CAST("createdAt" AS TEXT), CAST("updatedAt" AS TEXT)` : `'', ''`;
  const found = await rows(
    `SELECT "id", "version", ${times} FROM "${model}" WHERE ${isBeyond.join(' OR ')} ORDER BY "id" LIMIT ${most}`,
  );
  return found.map(([id, version, createdAt, updatedAt]) => ({
    id: String(id),
    version: Number(version),
    createdAt: String(createdAt),
    updatedAt: String(updatedAt),
  }));
}

/** Instants as SQL, so many milliseconds from now. */
function instantIn(provider: Inspection['provider'], ahead: number): string {
  const text = new Date(Date.now() + ahead).toISOString();
  return provider === 'sqlite' ? `'${text.replace('Z', '+00:00')}'` : `TIMESTAMP '${text.replace('Z', '')}'`;
}

const latestIn = (provider: Inspection['provider']): string => instantIn(provider, mostAhead);

/** Lowers versions that leave no room, and sets times of the future to now, in the records and in the journal. */
export async function mendBounds(inspection: Inspection, resources: readonly Resource[]): Promise<void> {
  const { provider, rows } = inspection;
  const mark = (place: number) => (provider === 'sqlite' ? '?' : `$${place}`);
  const now = instantIn(provider, 0);
  const latest = latestIn(provider);
  let isMended = false;
  for (const resource of resources) {
    const { model, timestamps } = resource;
    for (const { id, version } of await beyond(inspection, resource, 1_000_000)) {
      isMended = true;
      const mended = Math.max(1, version > highestVersion ? highestBroughtVersion : version);
      // Entries keep their distance to the record: no two get the same version.
      for (const [name, of] of [
        ['version', 'recordId'],
        ['revision', 'documentId'],
      ]) {
        if (version <= highestVersion) break;
        const lowered = `"${name}" = "${name}" - ${version - mended}`;
        await rows(
          `UPDATE "JournalEntry" SET ${lowered} WHERE "${of}" = ${mark(1)} AND "${name}" > ${highestBroughtVersion}`,
          [id],
        );
      }
      await rows(`UPDATE "${model}" SET "version" = ${mended} WHERE "id" = ${mark(1)}`, [id]);
    }
    if (!timestamps) continue;
    for (const name of ['createdAt', 'updatedAt']) {
      await rows(`UPDATE "${model}" SET "${name}" = ${now} WHERE "${name}" > ${latest}`);
    }
    await rows(`UPDATE "${model}" SET "updatedAt" = "createdAt" WHERE "updatedAt" < "createdAt"`);
  }
  // Later changes have taken over the time.
  if (isMended) await rows(`UPDATE "JournalEntry" SET "at" = ${now} WHERE "at" > ${latest}`);
}
