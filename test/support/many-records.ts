import type { DMMF } from '@prisma/generator-helper';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { datamodel } from '../../src/generated/datamodel.js';
import { isDocumentStatus } from '../../src/model/lifecycle.js';
import { authorColumns, type Resource, singletonId } from '../../src/model/resource.js';
import { resources } from './resources.js';

/** The number of lines of each parent; all lines of a singleton's type belong to it. */
export const linesPerParent = 20;

/**
 * The statements that insert `count` rows into the table of each record type, much faster than by the API. They are
 * numbered from 1 (`recordId`); lines 1 to 20 belong to parent 1, the next twenty to parent 2.
 */
export function fillStatements(provider: Provider, count: number): string[] {
  const parentsFirst = [...resources].sort((one, other) => one.parents.length - other.parents.length);
  return parentsFirst
    .filter(({ kind }) => kind !== 'singleton')
    .map((resource) => fillStatement(provider, resource, count));
}

/** The id of a row that `fillStatements` makes. */
export function recordId({ slug }: Pick<Resource, 'slug'>, number: number): string {
  return `${slug}_${String(number).padStart(26, '0')}`;
}

/** The statement that fills the table of one type. */
export function fillStatement(provider: Provider, resource: Resource, count: number): string {
  const model = datamodel.models.find(({ name }) => name === resource.model);
  // Also for databases of before, in which nobody is named.
  const isAuthor = ({ name }: DMMF.Field) => authorColumns.some((column) => column === name);
  const columns = (model?.fields ?? []).filter((field) => field.kind === 'scalar' && !isAuthor(field));
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map((column) => columnValue(provider, resource, column)).join(', ');
  return `INSERT INTO "${resource.model}" (${names}) SELECT ${values} FROM ${numbers[provider](count)}`;
}

const numbers: Record<Provider, (count: number) => string> = {
  sqlite: (count) =>
    `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n)`,
  postgresql: (count) => `generate_series(1, ${count}) AS n(i)`,
};

function columnValue(provider: Provider, resource: Resource, { name, type }: DMMF.Field): string {
  const id = ({ slug }: Resource, number: string) => `'${slug}_' || ${padded[provider](number)}`;
  const parent = resource.parents.find(({ reference }) => reference === name || name === 'parentId')?.resource;
  const single = resource.parents[0]?.resource.kind === 'singleton';
  if (name === 'id') return id(resource, 'i');
  if (parent) return single ? `'${singletonId(parent)}'` : id(parent, `1 + (i - 1) / ${linesPerParent}`);
  if (name === 'parentId') return `'invoice ' || (1 + (i - 1) / ${linesPerParent})`;
  if (name === 'idx') return single ? 'i' : `1 + (i - 1) % ${linesPerParent}`;
  if (isDocumentStatus(resource, name)) return `'draft'`;
  return plain[provider][type] ?? '1';
}

const padded: Record<Provider, (number: string) => string> = {
  sqlite: (number) => `printf('%026d', ${number})`,
  postgresql: (number) => `lpad((${number})::text, 26, '0')`,
};

const plain: Record<Provider, Record<string, string>> = {
  sqlite: { String: "'some text'", Boolean: '0', DateTime: "'2026-01-31T09:30:00.000+00:00'" },
  postgresql: { String: "'some text'", Boolean: 'false', DateTime: "'2026-01-31T09:30:00Z'" },
};
