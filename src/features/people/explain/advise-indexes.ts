/** `records access advise`: which rules the database finds by an index, and the index that would help lists and totals. */
import { requireDatabase } from '../../../cli/work.js';
import { tableOf } from '../../../common/output.js';
import { type Inspection, inspect } from '../../../database/inspection.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Config } from '../../../gateway/config/config.js';
import { Prisma } from '../../../generated/sqlite/client.js';
import { type Comparison, type Condition, conditionSql, groundOf, isEverything } from '../../../query/condition.js';
import { anybody, conditionOfRule } from '../roles/rule.js';
import { rolesAt, statementOf } from './run-access.js';

interface IndexAdvice {
  /** `technician.types.AssetRepair.read` */
  rule: string;
  /** What an index could find; null for a rule that asks for nothing that an index finds. */
  column: string | null;
  isSupported: boolean;
  /** The statement that makes the index; null where there is one, or none would help. */
  statement: string | null;
}

/** Of the rules of reading, of which all others are made, too. */
export async function advised(
  { databaseUrl: url }: Pick<Config, 'databaseUrl'>,
  path: string | undefined,
): Promise<IndexAdvice[]> {
  const roles = rolesAt(path);
  requireDatabase(url);
  return inspect(url, false, async (inspection) => {
    // Of a small table PostgreSQL would read all of it, whatever indexes there are.
    if (inspection.provider === 'postgresql') await inspection.rows('SET LOCAL enable_seqscan = off');
    const advice: IndexAdvice[] = [];
    for (const { name, rules } of roles)
      for (const [model, { read }] of rules) {
        const condition = read && conditionOfRule(read, anybody);
        if (!condition || isEverything(condition)) continue;
        const rule = `${name}.types.${model}.read`;
        const found = foundByIndex(condition);
        if (found.length === 0) advice.push({ rule, column: null, isSupported: false, statement: null });
        for (const [column, comparison] of new Map(found.map((each) => [each.field, each]))) {
          const isSupported = await isFoundByIndex(inspection, model, comparison);
          const statement = isSupported ? null : indexOf(inspection.provider, model, column);
          advice.push({ rule, column, isSupported, statement });
        }
      }
    return advice;
  });
}

/** The comparisons by which an index finds the records: one of those that all hold, or all of those of which one holds. */
function foundByIndex(condition: Condition): Comparison[] {
  if (condition.kind === 'and') return condition.of.map(foundByIndex).find((each) => each.length > 0) ?? [];
  if (condition.kind === 'or') {
    const each = condition.of.map(foundByIndex);
    return each.every(({ length }) => length > 0) ? each.flat() : [];
  }
  const isEqual =
    condition.kind === 'compare' ? condition.operator === 'eq' : condition.kind === 'in' && !condition.isNot;
  return isEqual && 'field' in condition ? [condition] : [];
}

async function isFoundByIndex({ provider, rows }: Inspection, model: string, comparison: Comparison): Promise<boolean> {
  const explain = Prisma.raw(provider === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN');
  const from = Prisma.sql`SELECT count(*) FROM ${Prisma.raw(`"${model}"`)} AS t0`;
  const where = conditionSql(comparison, groundOf());
  const plan = (await rows(...statementOf(provider, Prisma.sql`${explain} ${from} WHERE ${where}`))).flat().join('\n');
  return provider === 'sqlite' ? /SEARCH t0 USING .*INDEX/.test(plan) : plan.includes('Index Cond');
}

function indexOf(provider: Provider, model: string, column: string): string {
  const concurrently = provider === 'postgresql' ? ' CONCURRENTLY' : '';
  return `CREATE INDEX${concurrently} "access_${model}_${column}" ON "${model}" ("${column}", "id");`;
}

export function advisedText(advice: readonly IndexAdvice[]): string {
  if (advice.length === 0) return 'No rule limits which records are read.\n';
  const rows = advice.map(({ rule, column, isSupported, statement }) => [
    rule,
    column ?? '',
    isSupported ? 'an index finds it' : (statement ?? 'no index helps: nothing in it has to be equal to a value'),
  ]);
  return tableOf([['rule', 'field', ''], ...rows]);
}
