/** Parses `docs/limits.md` and `docs/cost.md` for their test. */
import { readFileSync } from 'node:fs';

const text = readFileSync('docs/limits.md', 'utf8');
export const costText = readFileSync('docs/cost.md', 'utf8');

export interface Row {
  limit: string;
  cells: readonly string[];
}

/** The rows of the table between `<!-- name -->` and its end. */
export function tableOf(name: string): Row[] {
  const table = text.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? '';
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) => {
    const [limit = '', ...cells] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { limit, cells };
  });
}

/** The numbers in a text, `1,048,576` as one. */
export const numbersIn = (cell: string): number[] =>
  [...cell.matchAll(/-?\d[\d,]*/g)].map(([number]) => Number(number.replaceAll(',', '')));

/** The status and the code in a cell, if it has them: `413 \`body_too_large\``. */
export function answerIn(cell: string): { status: number | undefined; code: string | undefined } {
  const status = /^\d{3}\b/.exec(cell)?.[0];
  return { status: status === undefined ? undefined : Number(status), code: /`(\w+)`/.exec(cell)?.[1] };
}

export interface Example {
  title: string;
  cost: number;
  /** How the page calculates it. */
  sum: string;
  query: string;
  variables: Record<string, unknown>;
}

/** The operations of `docs/cost.md`, each with the cost that the page gives. */
export const examples: Example[] = [
  ...costText.matchAll(
    /^(.+), (\d+) = `([\d +*()]+)`:\n\n```graphql\n([\s\S]*?)```\n(?:\n```json variables\n([\s\S]*?)```\n)?/gm,
  ),
].map(([, title = '', cost, sum = '', query = '', variables = '{}']) => ({
  title,
  cost: Number(cost),
  sum,
  query,
  variables: JSON.parse(variables),
}));

/** How many operations `docs/cost.md` shows. */
export const shownOperations = costText.match(/```graphql/g)?.length ?? 0;
