/** Checks a whole database, and repairs what can be derived from its records. */

import { mendBounds } from '../../change/mend-bounds.js';
import { rules } from '../../change/rules/index.js';
import { reorder } from '../../change/writes/reorder.js';
import { profileOf } from '../../database/address/postgresql-address.js';
import { type Inspection, inspect } from '../../database/inspection.js';
import { openDatabase } from '../../database/open-database.js';
import { readMigrationStatus } from '../../database/prepare-database.js';
import { datamodel } from '../../generated/datamodel.js';
import { catalogue } from '../../model/catalogue.js';
import { createResources } from '../../model/create-resources.js';
import type { Resource } from '../../model/resource.js';
import { forgetIndexed } from '../search/index/forget-indexed.js';
import { indexExisting } from '../search/index/index-existing.js';
import { bounds, idsOfFuture } from './bounds.js';
import type { Check } from './check.js';
import { countAnew, counts } from './counts.js';
import { integrity } from './integrity.js';
import { journalOrder } from './journal-order.js';
import { misnumbered, numbering, parents } from './lines.js';
import { searchIndex, wronglyIndexed } from './search-index.js';
import { unlessDamaged } from './sqlite-damage.js';

const checks: readonly Check[] = [
  integrity,
  numbering,
  parents,
  bounds,
  idsOfFuture,
  counts,
  journalOrder,
  searchIndex,
];

export interface CheckResult {
  /** What was checked. */
  holds: string;
  /** What does not hold. */
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
export async function checkDatabase(url: string): Promise<CheckResult[]> {
  const status = await unlessDamaged(() => readMigrationStatus(url));
  if (status === undefined)
    return inspect(url, false, async (inspection) => [await resultOf(integrity, inspection, [])]);
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
  const resources = createResources(datamodel, catalogue);
  const found = await inspect(url, false, async (inspection) => {
    const results: CheckResult[] = [];
    for (const check of checks) {
      results.push(await resultOf(check, inspection, resources));
      if ([migrations, ...objects, ...results.slice(0, 1)].some(({ problems }) => problems.length > 0)) break;
    }
    return results;
  });
  return [migrations, ...objects, ...found];
}

async function resultOf(
  { holds, isMendable, problems }: Check,
  inspection: Inspection,
  resources: readonly Resource[],
): Promise<CheckResult> {
  return { holds, isMendable, problems: await problems(inspection, resources) };
}

/** Who changes what `--fix` changes, as the journal names it. */
const fixer = { keyId: 'check', keyName: 'records check --fix', requestId: 'check', operation: undefined };

/** Mends versions and times, counts anew, closes gaps between lines by a change that the journal records, and indexes types anew. */
export async function repair(url: string): Promise<void> {
  const resources = createResources(datamodel, catalogue);
  // One transaction for each type in which something was found, so that other writers wait for one type only.
  for (const resource of await typesWith(bounds, url, resources)) {
    await inspect(url, true, (inspection) => mendBounds(inspection, resource));
  }
  // The profile `distributed` keeps no counts.
  const counted = profileOf(url) === 'distributed' ? [] : await typesWith(counts, url, resources);
  for (const resource of counted) await inspect(url, true, (inspection) => countAnew(inspection, [resource]));
  const wrong = await inspect(url, false, (inspection) => misnumbered(inspection, resources, 1_000_000));
  const unindexed = await inspect(url, false, (inspection) => wronglyIndexed(inspection, resources));
  if (wrong.length === 0 && unindexed.length === 0) return;
  const database = await openDatabase({ url, migrate: false });
  try {
    const handlers = {
      rules,
      observers: [],
      locksSubmitted: false,
      journal: 'if on' as const,
      search: 'if on' as const,
    };
    for (const { resource, parentId } of wrong) {
      const context = { provider: database.provider, handlers, by: fixer, written: { rows: 0, characters: 0 } };
      await database.perform(() => reorder(context, resource, { parentId, reportsMissing: false }));
    }
    for (const resource of unindexed) await database.perform(() => forgetIndexed(resource));
    await indexExisting(database, unindexed);
  } finally {
    await database.close();
  }
}

/** The types in which `check` finds something. */
function typesWith(check: Check, url: string, resources: readonly Resource[]): Promise<Resource[]> {
  return inspect(url, false, async (inspection) => {
    const found: Resource[] = [];
    for (const resource of resources) {
      if ((await check.problems(inspection, [resource])).length > 0) found.push(resource);
    }
    return found;
  });
}
