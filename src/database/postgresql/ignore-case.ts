import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils';
import { withQueries } from '../adapter-queries.js';
import { readMarked } from '../ignored-case.js';

/** Answers Prisma's comparisons that ignore case, whose patterns `markedPattern` has made. */
export function withIgnoredCase(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return withQueries(factory, (send) => (query) => send(ignoringCase(query)));
}

function ignoringCase(query: SqlQuery): SqlQuery {
  const patterns = query.args.map((arg) => (typeof arg === 'string' ? readMarked(arg) : undefined));
  if (patterns.every((pattern) => pattern === undefined)) return query;
  const args = [...query.args];
  const argTypes = [...query.argTypes];
  const sql = query.sql.replace(
    comparison,
    (whole, column: string, like: string, start: string, place: string, end: string) => {
      const index = Number(place) - 1;
      const pattern = patterns[index];
      const type = argTypes[index];
      if (!pattern || !type) return whole;
      args[index] = pattern.text;
      argTypes.push(type, type);
      const [from, to] = [args.push(pattern.from), args.push(pattern.to)];
      return `translate(${column}, $${from}::text, $${to}::text) ${like} (${start}$${place}${end})`;
    },
  );
  return { ...query, sql, args, argTypes };
}

/** A column, as Prisma writes it, that is compared with a pattern: `"asset"::text LIKE ('%' || $1 || '%')`. */
const comparison = /((?:"[^"]+"\.)*"[^"]+"(?:::text)?) ((?:NOT )?LIKE) \(((?:'%' \|\| )?)\$(\d+)((?: \|\| '%')?)\)/g;
