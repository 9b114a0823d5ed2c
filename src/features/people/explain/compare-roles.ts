/** `records access diff`: the records that another file of roles shows or hides, as the database finds them in one snapshot. */
import { requireDatabase } from '../../../cli/work.js';
import { ConfigError } from '../../../common/config-error.js';
import { isObject } from '../../../common/is-object.js';
import { tableOf } from '../../../common/output.js';
import { readJson } from '../../../common/read-json.js';
import { readTextFile } from '../../../common/read-text-file.js';
import { type Inspection, inspect, mostPlaces } from '../../../database/inspection.js';
import type { Person } from '../../../gateway/access/grants.js';
import type { Config } from '../../../gateway/config/config.js';
import { Prisma } from '../../../generated/sqlite/client.js';
import type { Resource } from '../../../model/resource.js';
import { type Condition, conditionSql, groundOf } from '../../../query/condition.js';
import { allResources, grantsOfRoles, rolesAt, statementOf } from './run-access.js';

/** What changes for holders of a role with these claims. */
interface RoleDifference extends Person, FoundRecords {
  role: string;
  type: string;
}

/** How many there are, and the first of them. */
type FoundRecords = Record<'shows' | 'hides', { count: number; ids: string[] }>;

/** Milliseconds between two lines about how far it has come. */
const toldEvery = 5_000;

export async function compared(
  { databaseUrl: url }: Pick<Config, 'databaseUrl'>,
  files: { before: string; after: string; claims: string },
  printError: (text: string) => void,
): Promise<RoleDifference[]> {
  const [before, after] = [grantsOfRoles(rolesAt(files.before)), grantsOfRoles(rolesAt(files.after))];
  const people = peopleIn(files.claims);
  const roles = [...new Set([...before.names, ...after.names])];
  requireDatabase(url);
  return inspect(url, false, async (inspection) => {
    const known = new Map<string, FoundRecords>();
    const differences: RoleDifference[] = [];
    let told = performance.now();
    for (const [index, role] of roles.entries())
      for (const person of people) {
        const [old, changed] = [before.granted([role], person).rights, after.granted([role], person).rights];
        for (const resource of allResources) {
          const type = resource.model;
          // Lines follow their document, but for those whose document is not held here.
          if (resource.parents.some(({ link }) => !link)) continue;
          const rules = [old.rule(resource, 'read'), changed.rule(resource, 'read')] as const;
          const key = JSON.stringify([type, ...rules]);
          const found = known.get(key) ?? (await differenceOf(inspection, resource, rules));
          known.set(key, found);
          if (found.shows.count + found.hides.count > 0)
            differences.push({ role, claims: person.claims, subject: person.subject, type, ...found });
          if (performance.now() - told < toldEvery) continue;
          told = performance.now();
          printError(`Role ${index + 1} of ${roles.length}, ${role}: compared ${type}\n`);
        }
      }
    return differences;
  });
}

async function differenceOf(
  { provider, rows }: Inspection,
  { model, parents }: Resource,
  [before, after]: readonly [Condition, Condition],
): Promise<FoundRecords> {
  const none = { count: 0, ids: [] };
  if (JSON.stringify(before) === JSON.stringify(after)) return { shows: none, hides: none };
  const ground = groundOf();
  const alone = parents.map(({ reference }): Condition => ({ kind: 'null', field: reference, isNot: false }));
  const isIn = (condition: Condition) => conditionSql({ kind: 'and', of: [...alone, condition] }, ground);
  const found = async (shown: Condition, hidden: Condition) => {
    // A rule is unknown to SQL where there is no value, which is not the opposite of true.
    const condition = Prisma.sql`FROM ${Prisma.raw(`"${model}"`)} AS t0 WHERE ${isIn(shown)} AND (${isIn(hidden)}) IS NOT TRUE`;
    const count = Number((await rows(...statementOf(provider, Prisma.sql`SELECT count(*) ${condition}`)))[0]?.[0]);
    if (count === 0) return none;
    const first = Prisma.sql`SELECT t0."id" ${condition} ORDER BY t0."id" LIMIT ${Prisma.raw(String(mostPlaces))}`;
    return { count, ids: (await rows(...statementOf(provider, first))).map(([id]) => String(id)) };
  };
  return { shows: await found(after, before), hides: await found(before, after) };
}

/** Whose claims are compared. @throws ConfigError for a file that is not a list of callers */
function peopleIn(path: string): Person[] {
  const list = readJson(readTextFile(path));
  if (!Array.isArray(list) || list.length === 0 || !list.every(isObject))
    throw new ConfigError([`${path} must be a list of callers: [{"claims": {"company": "ACME"}, "subject": "…"}]`]);
  return list.map(({ claims, subject }) => ({
    claims: isObject(claims) ? claims : {},
    subject: typeof subject === 'string' ? subject : '',
  }));
}

export function comparedText(differences: readonly RoleDifference[]): string {
  if (differences.length === 0) return 'Both files show the same records.\n';
  const rows = differences.flatMap(({ role, claims, type, ...found }) =>
    (['shows', 'hides'] as const).flatMap((way) => {
      const { count, ids } = found[way];
      const listed = `${ids.join(' ')}${count > ids.length ? ' …' : ''}`;
      return count > 0 ? [[role, JSON.stringify(claims), `${way} ${count} of ${type}`, listed]] : [];
    }),
  );
  return tableOf([['role', 'claims', 'now', ''], ...rows]);
}
