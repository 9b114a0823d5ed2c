/** `records access advise`: for which rules the database has an index, and the index that would help lists and totals. */
import { requireDatabase } from '../../../cli/work.js';
import { isObject } from '../../../common/is-object.js';
import { tableOf } from '../../../common/output.js';
import { type Inspection, inspect } from '../../../database/inspection.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Config } from '../../../gateway/config/config.js';
import { rolesAt } from './run-access.js';

interface IndexAdvice {
  /** `technician.types.AssetRepair.read` */
  rule: string;
  /** What an index could find; null for a rule that asks for nothing that an index finds. */
  column: string | null;
  isSupported: boolean;
  /** The statement that makes the index; null where there is one, or none would help. */
  statement: string | null;
}

/** Of the rules of reading, which are a part of all others. */
export async function advised(
  { databaseUrl: url }: Pick<Config, 'databaseUrl'>,
  path: string | undefined,
): Promise<IndexAdvice[]> {
  const roles = rolesAt(path);
  requireDatabase(url);
  return inspect(url, false, async (inspection) => {
    const advice: IndexAdvice[] = [];
    for (const { name, rules } of roles)
      for (const [model, { read }] of rules) {
        if (!read || Object.keys(read.filter).length === 0) continue;
        const rule = `${name}.types.${model}.read`;
        const columns = new Set(columnsOfIndex(read.filter));
        if (columns.size === 0) advice.push({ rule, column: null, isSupported: false, statement: null });
        for (const column of columns) {
          const isSupported = await isIndexed(inspection, model, column);
          const statement = isSupported ? null : indexOf(inspection.provider, model, column);
          advice.push({ rule, column, isSupported, statement });
        }
      }
    return advice;
  });
}

/** The fields by which an index finds the records: one of those that all hold, or all of those of which one holds. */
function columnsOfIndex(filter: unknown): string[] {
  const ways = Object.entries(isObject(filter) ? filter : {}).map(([name, value]) => {
    if (name === 'and' || name === 'or') {
      const each = Array.isArray(value) ? value.map(columnsOfIndex) : [];
      if (name === 'and') return each.find(({ length }) => length > 0) ?? [];
      return each.every(({ length }) => length > 0) ? each.flat() : [];
    }
    return name !== 'not' && isObject(value) && ('eq' in value || 'in' in value) ? [name] : [];
  });
  return ways.find(({ length }) => length > 0) ?? [];
}

/** Whether an index of all records begins with the column: no other is a way to the records that have a value there. */
const isIndexed = async ({ provider, rows }: Inspection, model: string, column: string): Promise<boolean> =>
  (await rows(indexesOn[provider], [model, column])).length > 0;

const indexesOn: Record<Provider, string> = {
  sqlite: `SELECT 1 FROM pragma_index_list(?1) AS list, pragma_index_info(list."name") AS part
    WHERE list."partial" = 0 AND part."seqno" = 0 AND part."name" = ?2`,
  postgresql: `SELECT 1 FROM pg_index WHERE indrelid = quote_ident($1)::regclass AND indisvalid AND indpred IS NULL
    AND pg_get_indexdef(indexrelid, 1, true) = quote_ident($2)`,
};

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
