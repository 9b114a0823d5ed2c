/**
 * The documents that a search finds, as SQL that both databases answer alike. Each word must begin a word of the document or
 * of one of its lines. The rarest word is found by the index; the others are looked for among the words of the documents that
 * it has found.
 */
import { createHash } from 'node:crypto';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Resource } from '../../model/resource.js';
import type { SortKey } from '../../query/keyset.js';
import { afterPrefix } from '../../query/prefix.js';

/** The column of the rank beside those of the record: no field has this name. */
export const rankColumn = '$rank';

/** The best first. Ranks are those of a search for these words, in any order. */
export const byRank = (words: readonly string[]): SortKey => {
  const of = createHash('sha256')
    .update([...words].sort().join(' '))
    .digest('base64url')
    .slice(0, 12);
  return { field: rankColumn, direction: 'desc', type: 'integer', of };
};

/** The words that begin with `prefix`, as a range of the index. */
export function beginsWith(prefix: string): Prisma.Sql {
  const end = afterPrefix(prefix);
  const below = end === undefined ? Prisma.empty : Prisma.sql`AND w."word" < ${end}`;
  return Prisma.sql`w."word" >= ${prefix} ${below}`;
}

/**
 * A subquery with the columns `id` and `$rank`, of the documents of at least one type; the rarest of the words comes
 * first. For each word a document gets 4 if it has the whole word and 3 if it has a word that begins with it. For a
 * match in a line it gets 2 or 1.
 */
export function foundSql(resources: readonly Resource[], [first = '', ...others]: readonly string[]): Prisma.Sql {
  const models = resources.map(({ model }) => model);
  const found = Prisma.sql`SELECT t."documentId" AS "id",
      max(CASE WHEN t."recordId" = '' THEN 2 ELSE 0 END + CASE WHEN w."word" = ${first} THEN 2 ELSE 1 END) AS "r0"
    FROM "SearchWord" AS w JOIN "SearchText" AS t ON t."id" = w."textId"
    WHERE w."model" IN (${Prisma.join(models)}) AND ${beginsWith(first)} GROUP BY t."documentId"`;
  if (others.length === 0) return Prisma.sql`SELECT "id", "r0" AS ${rank} FROM (${found}) AS f0`;
  const ranks = others.map((word, index) => Prisma.sql`(${rankOf(word)}) AS ${column(index + 1)}`);
  const sum = Prisma.join([Prisma.sql`"r0"`, ...others.map((_, index) => column(index + 1))], ' + ');
  const all = Prisma.join(
    others.map((_, index) => Prisma.sql`${column(index + 1)} > 0`),
    ' AND ',
  );
  return Prisma.sql`SELECT "id", ${sum} AS ${rank} FROM (
    SELECT f0."id", f0."r0", ${Prisma.join(ranks)} FROM (${found}) AS f0
  ) AS f1 WHERE ${all}`;
}

/** Words are written between quotes, and hold no wildcard. */
const rankOf = (word: string): Prisma.Sql => Prisma.sql`SELECT
    max(CASE WHEN x."recordId" = '' THEN 2 ELSE 0 END + CASE WHEN x."words" LIKE ${`%"${word}"%`} THEN 2 ELSE 1 END)
  FROM "SearchText" AS x WHERE x."documentId" = f0."id" AND x."words" LIKE ${`%"${word}%`}`;

const column = (index: number): Prisma.Sql => Prisma.raw(`"r${index}"`);
const rank = Prisma.raw(`"${rankColumn}"`);
