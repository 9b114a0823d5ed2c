/** What `records access` finds out in one snapshot of a database. It reads every record, whatever roles say. */
import * as z from 'zod';
import { requireDatabase } from '../../../cli/work.js';
import { ConfigError, ExplainedError } from '../../../common/config-error.js';
import { didYouMean } from '../../../common/nearest.js';
import { tableOf } from '../../../common/output.js';
import { type Objecting, readForm } from '../../../common/read-form.js';
import { type Inspection, inspect, mostPlaces } from '../../../database/inspection.js';
import type { Grants, Person } from '../../../gateway/access/grants.js';
import type { Config } from '../../../gateway/config/config.js';
import { Prisma } from '../../../generated/sqlite/client.js';
import type { Resource } from '../../../model/resource.js';
import { allResources } from '../../../model/resources.js';
import { allOf, type Condition, conditionSql, groundOf } from '../../../query/condition.js';
import type { RuledAction } from '../../../query/rights.js';
import { dialects, limitInText } from '../../../query/sql/dialect.js';
import { peopleSettings } from '../people-settings.js';
import { createGrants } from '../roles/create-grants.js';
import { readRoles } from '../roles/read-roles.js';
import { type Explanation, explainAccess, fieldsGiven, type GivenPerson, personIn } from './explain-access.js';

/** What the roles of a file give. @throws ConfigError */
function grantsAt(path: string): Grants {
  const problems: string[] = [];
  const roles = readRoles(path, allResources, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return createGrants(roles);
}

interface AskedOnServer extends GivenPerson {
  type: string;
  id: string | undefined;
  action: RuledAction;
  input: string | undefined;
}

export async function explained(
  config: Config,
  { type, id, action, input, ...as }: AskedOnServer,
): Promise<Explanation> {
  const { roles } = peopleSettings.of(config);
  if (roles === undefined) throw new ConfigError(['ROLES is not set: name the file of roles.']);
  const resource = allResources.find(({ model }) => model === type);
  const models = allResources.map(({ model }) => model);
  if (!resource) throw new ExplainedError(`${type} is no type of records${didYouMean(type, models)}.`);
  const asked = { resource, id, action, input: fieldsGiven(resource, input) };
  const who = personIn(as, grantsAt(roles));
  const { databaseUrl: url, lockSubmitted: locksSubmitted } = config;
  requireDatabase(url);
  return inspect(url, false, ({ provider, rows }) =>
    explainAccess({ provider, read: rows, locksSubmitted }, asked, who),
  );
}

export function explainedText({ reason, rules }: Explanation): string {
  const held = (holds: boolean | null) => (holds === null ? '' : holds ? 'holds' : 'does not hold');
  const rows = rules.map(({ role, rule, before, after, failed }) => [
    role,
    rule,
    held(before),
    held(after),
    failed.join('; '),
  ]);
  const table = tableOf([['role', 'rule', 'as it is', 'as it would become', ''], ...rows]);
  return `${reason === null ? 'Allowed.' : `Refused: ${reason}`}\n\n${table}`;
}

/** Records of a type that another file shows to holders of a role with these claims, or hides from them. */
interface RoleDifference extends Person {
  role: string;
  type: string;
  now: 'shows' | 'hides';
  count: number;
  /** The first of them. */
  ids: string[];
}

/** The differences between what the roles in two files show to the callers in the file `claims`. */
export async function compared(
  { databaseUrl: url }: Config,
  { before, after, claims }: Record<'before' | 'after' | 'claims', string>,
): Promise<RoleDifference[]> {
  const [old, changed] = [grantsAt(before), grantsAt(after)];
  const problems: string[] = [];
  const object: Objecting = (problem) => void problems.push(`${claims} cannot be used: ${problem}`);
  const people = readForm(claims, callers, object);
  if (!people) throw new ConfigError(problems);
  requireDatabase(url);
  return inspect(url, false, async (inspection) => {
    const differences: RoleDifference[] = [];
    const done = new Set<string>();
    for (const role of new Set([...old.names, ...changed.names]))
      for (const person of people) {
        const [{ rights: had }, { rights: has }] = [old.granted([role], person), changed.granted([role], person)];
        // Callers of whom rules know the same are shown the same.
        if (done.size === done.add(`${had.digest} ${has.digest}`).size) continue;
        for (const resource of allResources) {
          const [was, is] = [had.rule(resource, 'read'), has.rule(resource, 'read')];
          // Lines follow their document, but for those whose document is not held here.
          if (!resource.parents.every(({ link }) => link) || JSON.stringify(was) === JSON.stringify(is)) continue;
          for (const [now, shown, hidden] of [
            ['shows', is, was],
            ['hides', was, is],
          ] as const) {
            const found = await recordsIn(inspection, resource, shown, hidden);
            if (found.count > 0) differences.push({ role, ...person, type: resource.model, now, ...found });
          }
        }
      }
    return differences;
  });
}

const mustBeCallers = 'must be a list of callers: [{"claims": {"company": "ACME"}, "subject": "…"}]';
const caller = z.strictObject({
  claims: z.record(z.string(), z.unknown()).default({}),
  subject: z.string().default(''),
});
const callers = z.array(caller, mustBeCallers).min(1, mustBeCallers);

async function recordsIn(
  { provider, rows }: Inspection,
  { model, parents }: Resource,
  shown: Condition,
  hidden: Condition,
): Promise<Pick<RoleDifference, 'count' | 'ids'>> {
  const alone = parents.map(({ reference }): Condition => ({ kind: 'null', field: reference, isNot: false }));
  const isIn = conditionSql(allOf(...alone, shown), groundOf());
  // A rule is unknown to SQL where there is no value, which is not the opposite of true.
  const isOut = Prisma.sql`(${conditionSql(hidden, groundOf())}) IS NOT TRUE`;
  const from = Prisma.sql`FROM ${Prisma.raw(`"${model}"`)} AS t0 WHERE ${isIn} AND ${isOut}`;
  const query = Prisma.sql`SELECT t0."id", (SELECT count(*) ${from}) ${from} ORDER BY t0."id" LIMIT ${limitInText(mostPlaces)}`;
  const text = provider === 'sqlite' ? query.sql : query.text;
  const found = await rows(text, query.values.map(dialects[provider].stored));
  return { count: Number(found[0]?.[1] ?? 0), ids: found.map(([id]) => String(id)) };
}

export function comparedText(differences: readonly RoleDifference[]): string {
  if (differences.length === 0) return 'Both files show the same records.\n';
  const rows = differences.map(({ role, claims, type, now, count, ids }) => [
    ...[role, JSON.stringify(claims), `${now} ${count} of ${type}`],
    `${ids.join(' ')}${count > ids.length ? ' …' : ''}`,
  ]);
  return tableOf([['role', 'claims', 'now', ''], ...rows]);
}
