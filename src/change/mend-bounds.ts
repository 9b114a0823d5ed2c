/** Mends versions and times that an import would refuse, for `records check --fix`. Nothing is checked or told of it. */
import type { Inspection } from '../database/inspection.js';
import { placeholders } from '../database/statement-builder.js';
import { highestVersion, mostAhead } from '../model/limits.js';
import type { Resource } from '../model/resource.js';

/** Versions above the highest are lowered to it. The distance keeps a record that is changed then one that an import takes. */
const mendedVersion = highestVersion / 2;

/** The records, at most so many, whose version or times are not such as changes make them. The times of lines are empty. */
export async function beyondBounds({ provider, rows }: Inspection, resource: Resource, most: number) {
  const { model, timestamps } = resource;
  const latest = instantIn(provider, mostAhead);
  const isBeyond = [`"version" < 1 OR "version" > ${highestVersion}`];
  if (timestamps) isBeyond.push(`${lateBeyond(latest)} OR "updatedAt" < "createdAt"`);
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

const lateBeyond = (latest: string): string => `"createdAt" > ${latest} OR "updatedAt" > ${latest}`;

/** The version that the journal knows last, so that a later change gets no version that an entry has already; at least 1. */
async function lastVersion({ provider, rows }: Inspection, id: string, version: number): Promise<number> {
  const { bound } = placeholders[provider];
  const [[known] = []] = await rows(`SELECT MAX("version") FROM "JournalEntry" WHERE "recordId" = ${bound(1)}`, [id]);
  return Math.max(1, version, Math.min(Number(known ?? 1), mendedVersion));
}

/** Lowers versions that leave no room, and sets times of the future to now, in the records of a type and in the journal. */
export async function mendBounds(inspection: Inspection, resource: Resource): Promise<void> {
  const { provider, rows } = inspection;
  const { bound } = placeholders[provider];
  const now = instantIn(provider, 0);
  const latest = instantIn(provider, mostAhead);
  const { model, timestamps } = resource;
  const found = await beyondBounds(inspection, resource, 1_000_000);
  const isLate = timestamps && (await rows(`SELECT 1 FROM "${model}" WHERE ${lateBeyond(latest)} LIMIT 1`)).length > 0;
  if (timestamps) {
    for (const name of ['createdAt', 'updatedAt'])
      await rows(`UPDATE "${model}" SET "${name}" = ${now} WHERE "${name}" > ${latest}`);
    await rows(`UPDATE "${model}" SET "updatedAt" = "createdAt" WHERE "updatedAt" < "createdAt"`);
  }
  for (const { id, version } of found) {
    if (version >= 1 && version <= highestVersion) continue;
    const mended = version > highestVersion ? mendedVersion : await lastVersion(inspection, id, version);
    // Entries keep their distance to the record: no two get the same version.
    for (const [name, of] of [
      ['version', 'recordId'],
      ['revision', 'documentId'],
    ]) {
      if (version <= highestVersion) break;
      const lowered = `"${name}" = "${name}" - ${version - mended}`;
      await rows(`UPDATE "JournalEntry" SET ${lowered} WHERE "${of}" = ${bound(1)} AND "${name}" > ${mendedVersion}`, [
        id,
      ]);
    }
    await rows(`UPDATE "${model}" SET "version" = ${mended} WHERE "id" = ${bound(1)}`, [id]);
  }
  // Later changes have taken over the time.
  if (isLate) await rows(`UPDATE "JournalEntry" SET "at" = ${now} WHERE "at" > ${latest}`);
}
