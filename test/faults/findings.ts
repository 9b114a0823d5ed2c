/** What careful clients were answered, and what the database holds of it afterwards. */
import type { Acknowledged } from './careful-client.js';
import type { Answer } from './gateway-process.js';
import { rowsOf } from './rows.js';

export class Findings {
  /** As they were acknowledged last. */
  readonly documents: Acknowledged[] = [];
  /** Answers other than success and 503, and answers that contradict what was acknowledged. */
  readonly wrong: string[] = [];
  readonly answers = { write: 0, read: 0 };
  /** Milliseconds for which one request was refused until its repetition was answered, at most. */
  longestRefused = 0;
  refused = 0;
  repeated = 0;
  /** Repetitions whose first request had been carried out, and that got its stored answer. */
  replayed = 0;

  succeeded(kind: 'write' | 'read', refusedFor: number, { headers }: Answer): void {
    this.answers[kind]++;
    this.longestRefused = Math.max(this.longestRefused, refusedFor);
    if (kind === 'write' && refusedFor > 0) this.repeated++;
    if (headers['idempotent-replayed'] === 'true') this.replayed++;
  }

  compare(what: string, { id, downtime, version }: Acknowledged, found: object | undefined): void {
    const expected = { id, downtime, version };
    const isSame = Object.entries(expected).every(([name, value]) => found && Reflect.get(found, name) === value);
    if (!isSame) this.wrong.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  }

  /** Documents that are not as they were acknowledged, and those that were made twice. */
  async against(url: string): Promise<{ lost: string[]; twice: string[]; stored: number }> {
    const rows = await rowsOf(url, 'SELECT "id", "asset", "downtime", "version" FROM "AssetRepair"');
    const stored = new Map(rows.map((row) => [String(row.id), row]));
    const lost = this.documents.filter(({ id, downtime, version }) => {
      const row = stored.get(id);
      return row?.downtime !== downtime || row?.version !== version;
    });
    const assets = rows.map(({ asset }) => String(asset));
    const twice = assets.filter((asset, index) => assets.indexOf(asset) !== index);
    return { lost: lost.map((each) => JSON.stringify(each)), twice, stored: rows.length };
  }
}
