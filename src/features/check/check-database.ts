/** Checks a whole database, and repairs what can be derived from its records. */

import { positionColumn } from '../../change/journal/entry.js';
import { beyondBounds, mendBounds } from '../../change/mend-bounds.js';
import { rules } from '../../change/rules/index.js';
import { reorder } from '../../change/writes/line.js';
import { writersOf } from '../../cli/command.js';
import { withDatabase } from '../../cli/work.js';
import { type Inspection, inspect, mostPlaces } from '../../database/inspection.js';
import { readMigrationStatus } from '../../database/prepare-database.js';
import type { Check, Feature } from '../../gateway/feature.js';
import { firstIdOf, instantOfId } from '../../model/ids.js';
import { highestVersion, mostAhead } from '../../model/limits.js';
import { type Resource, scopeOf } from '../../model/resource.js';
import { allResources } from '../../model/resources.js';
import { counts } from './counts.js';
import { integrity, unlessDamaged } from './integrity.js';

interface Misnumbered {
  resource: Resource;
  parentId: string;
}

async function misnumbered({ rows }: Inspection, resources: readonly Resource[], most: number): Promise<Misnumbered[]> {
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

const numberingFor = (features: readonly Feature[]): Check => ({
  holds: 'lines are numbered from 1 without gaps',
  problems: async (inspection, resources) =>
    (await misnumbered(inspection, resources, mostPlaces)).map(
      ({ resource, parentId }) => `The lines ${resource.model} of ${parentId} are not numbered from 1 without gaps`,
    ),
  /** By a change that the journal records. */
  async mend(databaseUrl, resources) {
    const wrong = await inspect(databaseUrl, false, (inspection) => misnumbered(inspection, resources, 1_000_000));
    const writers = await writersOf(features);
    const handlers = { rules, observers: [], locksSubmitted: false, journal: 'if on' as const, writers };
    await withDatabase({ databaseUrl }, async ({ provider, perform }) => {
      for (const { resource, parentId } of wrong) {
        const context = { provider, handlers, by: fixer, written: { rows: 0, characters: 0 } };
        await perform(() => reorder(context, resource, { parentId, reportsMissing: false }));
      }
    });
  },
});

/** Who changes what `--fix` changes, as the journal names it. */
const fixer = { keyId: 'check', keyName: 'records check --fix', requestId: 'check', operation: undefined };

const parents: Check = {
  holds: 'every line has its parent',
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

const journalOrder: Check = {
  holds: 'the journal is in order',
  problems: async ({ provider, rows }, resources) => {
    const position = positionColumn(provider);
    const found: string[] = [];
    const given =
      provider === 'sqlite'
        ? `(SELECT coalesce(max("seq"), 0) FROM sqlite_sequence WHERE "name" = 'JournalEntry')`
        : `(SELECT "position" FROM "JournalState" WHERE "id" = 1)`;
    const beyond = await rows(
      `SELECT ${position} FROM "JournalEntry" WHERE ${position} > ${given} LIMIT ${mostPlaces}`,
    );
    found.push(...beyond.map(([at]) => `The entry at position ${at} of the journal is beyond the last position`));
    const twice = await rows(
      `SELECT ${position} FROM "JournalEntry" WHERE ${position} IS NOT NULL
       GROUP BY ${position} HAVING count(*) > 1 LIMIT ${mostPlaces}`,
    );
    found.push(...twice.map(([at]) => `Several entries of the journal have the position ${at}`));
    // Only of documents that are stored here: the version of any other parent begins anew after its last line is
    // deleted.
    const falling = await rows(
      `SELECT "at", "documentId" FROM (
         SELECT ${position} AS "at", "documentId", "revision",
           lag("revision") OVER (PARTITION BY "documentId" ORDER BY ${position}) AS "before"
         FROM "JournalEntry" WHERE "documentModel" IS NOT NULL AND ${position} IS NOT NULL
       ) AS entries WHERE "revision" < "before" LIMIT ${mostPlaces}`,
    );
    found.push(
      ...falling.map(
        ([at, id]) => `The entry at position ${at} has an older version of ${id} than the entry before it`,
      ),
    );
    for (const { model } of resources.filter(({ kind }) => kind !== 'child')) {
      const behind = await rows(
        `SELECT record."id" FROM "${model}" AS record JOIN (
           SELECT "documentId", max("revision") AS "last" FROM "JournalEntry"
           WHERE "documentModel" = '${model}' GROUP BY "documentId"
         ) AS entries ON entries."documentId" = record."id" WHERE record."version" < entries."last" LIMIT ${mostPlaces}`,
      );
      found.push(...behind.map(([id]) => `The journal has a later version of ${id} than the one that is stored`));
    }
    return found;
  },
};

/** Versions, times and ids that an import refuses. An older version of the gateway or SQL by hand may have stored them. */
const bounds: Check = {
  holds: 'versions and times are such as changes make them',
  problems: async (inspection, resources) => {
    const found: string[] = [];
    for (const resource of resources) {
      for (const { id, version, createdAt, updatedAt } of await beyondBounds(inspection, resource, mostPlaces)) {
        if (version < 1 || version > highestVersion) found.push(`${id} has the version ${version}`);
        else found.push(`${id} was created at ${createdAt} and changed at ${updatedAt}`);
      }
    }
    return found;
  } /** One transaction for each type, so that other writers wait for one type only. */,
  async mend(url, resources) {
    for (const resource of resources) await inspect(url, true, (inspection) => mendBounds(inspection, resource));
  },
};

const idsOfFuture: Check = {
  holds: 'no id is of the future',
  // Not mended, because others may name the record by its id.
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

const checksOf = async (features: readonly Feature[]): Promise<Check[]> => [
  ...[integrity, numberingFor(features), parents, bounds, idsOfFuture, counts, journalOrder],
  ...(await Promise.all(features.map((each) => each.checks?.() ?? []))).flat(),
];

export interface CheckResult {
  holds: string;
  problems: string[];
  isMendable: boolean;
  /** What can be sound, but need not be. */
  warnings?: string[];
}

/**
 * Checks the database beside running gateways: first its migrations and what they make, then, in one transaction, whether it
 * is intact. The check of the records is left out if the database is damaged, or has other tables. @throws
 * DatabaseStartError if it cannot be opened
 */
export async function checkDatabase(url: string, features: readonly Feature[]): Promise<CheckResult[]> {
  const status = await unlessDamaged(() => readMigrationStatus(url));
  if (status === undefined) return inspect(url, false, async (inspection) => [await resultOf(integrity, inspection)]);
  const { missing, differing, risks } = status;
  const migrations: CheckResult = {
    holds: 'all migrations are applied',
    problems: missing.map((name) => `The migration ${name} is missing; \`records migrate apply\` applies it`),
    isMendable: false,
  };
  const objects = (differing ? [differing] : []).map(
    (problems): CheckResult => ({
      holds: 'tables, columns, keys, indexes, triggers and functions are as the migrations make them',
      problems,
      isMendable: false,
      warnings: risks,
    }),
  );
  const all = await checksOf(features);
  const found = await inspect(url, false, async (inspection) => {
    const results: CheckResult[] = [];
    for (const check of all) {
      results.push(await resultOf(check, inspection));
      if ([migrations, ...objects, ...results.slice(0, 1)].some(({ problems }) => problems.length > 0)) break;
    }
    return results;
  });
  return [migrations, ...objects, ...found];
}

async function resultOf({ holds, mend, problems }: Check, inspection: Inspection): Promise<CheckResult> {
  return { holds, isMendable: mend !== undefined, problems: await problems(inspection, allResources) };
}

/** Mends what can be mended, the last first: versions and counts before the changes that build on them. */
export async function repair(url: string, features: readonly Feature[]): Promise<void> {
  for (const check of (await checksOf(features)).toReversed()) {
    const found = check.mend ? await typesWith(check, url) : [];
    if (found.length > 0) await check.mend?.(url, found);
  }
}

function typesWith(check: Check, url: string): Promise<Resource[]> {
  return inspect(url, false, async (inspection) => {
    const found: Resource[] = [];
    for (const resource of allResources) {
      if ((await check.problems(inspection, [resource])).length > 0) found.push(resource);
    }
    return found;
  });
}
