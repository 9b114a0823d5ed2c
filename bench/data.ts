/**
 * The bench's records: generated from numbers by SQL, so that many are made in seconds and both databases get the same.
 */
import type { DMMF } from '@prisma/generator-helper';
import type { Provider } from '../src/database/migrations/migration-history.js';
import { datamodel } from '../src/generated/datamodel.js';
import { resourceOf } from '../test/support/resources.js';
import type { Supply } from './workloads.js';

export interface Amounts {
  /** Each with 5 consumed items and 2 purchase invoices. */
  repairs: number;
  quotations: number;
}

/** SQL that fills a migrated database. */
export function fillStatements(provider: Provider, { repairs, quotations }: Amounts): string[] {
  return [
    fill(provider, 'AssetRepair', repairs),
    fill(provider, 'AssetRepairConsumedItem', repairs, 5),
    fill(provider, 'AssetRepairPurchaseInvoice', repairs, 2),
    fill(provider, 'Quotation', quotations),
  ];
}

/** SQL that makes the supply of a workload. */
export function supplyStatements(provider: Provider, { repairs, consumedItems, purchaseInvoices }: Supply): string[] {
  return [
    fill(provider, 'AssetRepair', repairs, 1, SUPPLIED),
    fill(provider, 'AssetRepairConsumedItem', repairs, consumedItems, SUPPLIED),
    fill(provider, 'AssetRepairPurchaseInvoice', repairs, purchaseInvoices, SUPPLIED),
  ];
}

/** The id of a record by its number, which begins at 1; a higher number is a newer record. */
export function recordId(model: Model, number: number): string {
  return idOf(model, number, GENERATED);
}

/** The same of a supplied record. The lines of one record have successive numbers. */
export function suppliedId(model: Model, number: number): string {
  return idOf(model, number, SUPPLIED);
}

/** An id between the generated records and those supplied for a workload or created during the bench. */
export function lastId(model: Model): string {
  return `${resourceOf(model).slug}_${SUPPLIED}`;
}

export type Model = 'AssetRepair' | 'AssetRepairConsumedItem' | 'AssetRepairPurchaseInvoice' | 'Quotation';

/** The begin of ids from the year 2023, so that ids created now sort after them. */
const GENERATED = '01h';
/** Sorts after the digits that follow in a generated id. */
const SUPPLIED = '01hz';
const ID_LENGTH = 26;

const idOf = (model: Model, number: number, prefix: string) =>
  `${resourceOf(model).slug}_${prefix}${String(number).padStart(ID_LENGTH - prefix.length, '0')}`;

/** `each` is how many of them one asset repair has. */
function fill(provider: Provider, model: Model, repairs: number, each = 1, prefix = GENERATED): string {
  const columns = (datamodel.models.find(({ name }) => name === model)?.fields ?? []).filter(
    ({ kind }) => kind === 'scalar',
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map((column) => value(provider, model, column, each, prefix)).join(', ');
  return `INSERT INTO "${model}" (${names}) SELECT ${values} FROM ${numbers[provider](repairs * each)}`;
}

const numbers: Record<Provider, (count: number) => string> = {
  sqlite: (count) =>
    `(WITH RECURSIVE n(i) AS (SELECT 1 WHERE ${count} > 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n)`,
  postgresql: (count) => `generate_series(1, ${count}) AS n(i)`,
};

function value(
  provider: Provider,
  model: Model,
  { name, type, isRequired }: DMMF.Field,
  each: number,
  prefix: string,
): string {
  const id = (of: Model, number: string) =>
    `'${resourceOf(of).slug}_${prefix}' || ${padded[provider](number, ID_LENGTH - prefix.length)}`;
  if (name === 'id') return id(model, 'i');
  if (name === 'assetRepairId') return id('AssetRepair', `1 + (i - 1) / ${each}`);
  if (name === 'idx') return `1 + (i - 1) % ${each}`;
  if (name === 'version') return '1';
  if (name === 'status') return `'draft'`;
  if (/Date$/.test(name))
    return sometimes(model, isRequired, `'2026-' || ${twoDigits('12')} || '-' || ${twoDigits('28')}`);
  if (type === 'DateTime') return instant[provider];
  if (type === 'Boolean') return 'i % 2 = 0';
  if (type === 'Int') return 'i % 60';
  // Dividing by a power of ten gives the same nearest double on both databases; multiplying does not.
  if (type === 'Float') return '(i % 1000003) / 100.0';
  return sometimes(model, isRequired, texts[name] ?? `'${name} ' || (i % 977)`);
}

/** Optional fields are filled in every quotation, and in two of three other records. */
function sometimes(model: Model, isRequired: boolean, text: string): string {
  return isRequired || model === 'Quotation' ? text : `CASE i % 3 WHEN 0 THEN NULL ELSE ${text} END`;
}

const texts: Record<string, string> = {
  description: `'Spindle "B" runs hot above 3/4 load – Lagerschaden, seen on shift ' || (i % 3) || ', line ' || (i % 17)`,
  actionsPerformed: `'Bearing replaced, shaft aligned to 0.02 mm.\\nTest run of ' || (i % 12) || ' hours without findings.'`,
  terms: `'Delivery within ' || (i % 30) || ' days of order. Payment net 30 days. Prices are those of the day of the offer.'`,
};

const padded: Record<Provider, (number: string, length: number) => string> = {
  sqlite: (number, length) => `printf('%0${length}d', ${number})`,
  postgresql: (number, length) => `lpad((${number})::text, ${length}, '0')`,
};

/** A number from 01 to `last`, as text. */
const twoDigits = (last: string) => `substr(CAST(101 + i % ${last} AS text), 2)`;

const instant: Record<Provider, string> = {
  sqlite: `strftime('%Y-%m-%dT%H:%M:%S', 1767225600 + i, 'unixepoch') || '.' || printf('%03d', i % 1000) || '+00:00'`,
  postgresql: `to_timestamp(1767225600 + i) AT TIME ZONE 'UTC' + (i % 1000) * interval '1 millisecond'`,
};
