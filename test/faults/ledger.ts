/** The acknowledged changes of documents, to compare with the database after a crash. */
import { type Row, rowsOf } from './rows.js';

/** An asset repair, known by an asset name that nothing else has. At most one request about it is unanswered. */
export interface Document {
  asset: string;
  /** Undefined until its creation was acknowledged. */
  id?: string;
  downtime: string;
  lines: number;
  /** The request that may have been cut off. */
  attempted?: { downtime: string } | 'line' | 'delete';
  deleted?: true;
}

export const linesAtFirst = 3;
export const invoicesAtFirst = 2;

export class Ledger {
  readonly documents = new Map<string, Document>();
  acknowledged = 0;

  /** Compares with the database, and then takes the outcome of unanswered requests from the database. */
  async compare(url: string): Promise<{ lost: string[]; halfMade: string[] }> {
    const rows = new Map((await rowsOf(url, repairs)).map((row) => [String(row.asset), row]));
    const lost = [...this.documents.values()].flatMap((document) => this.settle(document, rows.get(document.asset)));
    const halfMade = [...rows.values()].filter(isHalfMade).map((row) => JSON.stringify(row));
    return { lost, halfMade };
  }

  private settle(document: Document, row: Row | undefined): string[] {
    const { asset, id, attempted, deleted } = document;
    const problems: string[] = [];
    if (!row) {
      if (id && !deleted && attempted !== 'delete') problems.push(`${asset} is gone`);
      this.documents.delete(asset);
      return problems;
    }
    if (deleted) problems.push(`${asset} was deleted and is back`);
    const downtimes = [document.downtime, ...(typeof attempted === 'object' ? [attempted.downtime] : [])];
    const lines = [document.lines, ...(attempted === 'line' ? [document.lines + 1] : [])];
    if (!downtimes.includes(String(row.downtime))) problems.push(`${asset} is ${row.downtime}, not ${downtimes}`);
    if (!lines.includes(Number(row.lines))) problems.push(`${asset} has ${row.lines} lines, not ${lines}`);
    this.documents.set(asset, { asset, id: String(row.id), downtime: String(row.downtime), lines: Number(row.lines) });
    return problems;
  }
}

/** Every repair with its lines, their lowest and highest place, and the number of places. */
const repairs = `
  SELECT r."id", r."asset", r."downtime",
    (SELECT count(*) FROM "AssetRepairPurchaseInvoice" i WHERE i."assetRepairId" = r."id") AS invoices,
    count(l."id") AS lines, min(l."idx") AS low, max(l."idx") AS high, count(DISTINCT l."idx") AS places
  FROM "AssetRepair" r LEFT JOIN "AssetRepairConsumedItem" l ON l."assetRepairId" = r."id"
  GROUP BY r."id", r."asset", r."downtime"`;

function isHalfMade(row: Row): boolean {
  const lines = Number(row.lines);
  const inOrder = Number(row.low) === 1 && Number(row.high) === lines && Number(row.places) === lines;
  return Number(row.invoices) !== invoicesAtFirst || lines < linesAtFirst || !inOrder;
}
