import { randomUUID } from 'node:crypto';
import type { Database, TransactionClient } from '../../../database/open-database.js';

export const leaseTimes = {
  /** Milliseconds after which another process may take a lease that was not renewed. */
  valid: 4000,
  /** Milliseconds before its end from which on the holder no longer relies on it. */
  margin: 1000,
  /** Milliseconds before its end from which on it is renewed. */
  renewed: 2500,
};

/**
 * The right to deliver webhooks, which one process has at a time: a row with an expiry by the database's clock. It is a
 * plain row and no advisory lock, so it works on every engine and behind every pooler.
 */
export class DeliveryLease {
  readonly #holder = randomUUID();
  #validUntil = 0;

  constructor(private readonly database: Pick<Database, 'provider' | 'client'>) {}

  /** Whether this process may deliver now. Asked before every request. */
  get isHeld(): boolean {
    return performance.now() < this.#validUntil;
  }

  /** Takes the lease, or renews it; returns whether this process has it. One that has lapsed is not renewed. */
  async take(): Promise<boolean> {
    const { client } = this.database;
    if (performance.now() < this.#validUntil + leaseTimes.margin - leaseTimes.renewed) return true;
    const at = performance.now();
    if (this.isHeld) {
      const isRenewed = await this.confirm(client);
      if (isRenewed) this.noteRenewed(at);
      return isRenewed;
    }
    // Only reads while another process has it, because a write would keep others waiting on SQLite.
    const held = `SELECT 1 FROM "WebhookLease" WHERE "id" = 'deliverer' AND ${this.#takenByAnother('')}`;
    if ((await client.$queryRawUnsafe<unknown[]>(held)).length > 0) return false;
    const changed = await client.$executeRawUnsafe(
      `INSERT INTO "WebhookLease" ("id", "holder", "expiresAt")
       VALUES ('deliverer', '${this.#holder}', ${this.#now} + ${leaseTimes.valid})
       ON CONFLICT ("id") DO UPDATE SET "holder" = excluded."holder", "expiresAt" = excluded."expiresAt"
       WHERE NOT (${this.#takenByAnother('"WebhookLease".')})`,
    );
    if (changed === 1) this.noteRenewed(at);
    return changed === 1;
  }

  /**
   * Renews the lease, in a transaction too; false if it is lost, and then nothing may be written. Call `noteRenewed` when
   * the transaction is committed: before, the renewal may still be rolled back.
   */
  async confirm(tx: TransactionClient): Promise<boolean> {
    const isRenewed = (await tx.$executeRawUnsafe(this.#renewal)) === 1;
    if (!isRenewed) this.#validUntil = 0;
    return isRenewed;
  }

  /** Notes that this process has the lease, as of `at`, a time of `performance.now()` before it was renewed. */
  noteRenewed(at: number): void {
    this.#validUntil = at + leaseTimes.valid - leaseTimes.margin;
  }

  async release(): Promise<void> {
    this.#validUntil = 0;
    await this.database.client.webhookLease.deleteMany({ where: { holder: this.#holder } });
  }

  /** An expiry that no process could have set comes from a clock that was set back, and does not count. */
  #takenByAnother(table: string): string {
    const expiry = `${table}"expiresAt"`;
    return `${table}"holder" <> '${this.#holder}' AND ${expiry} > ${this.#now} AND ${expiry} <= ${this.#now} + ${leaseTimes.valid}`;
  }

  get #renewal(): string {
    return `UPDATE "WebhookLease" SET "expiresAt" = ${this.#now} + ${leaseTimes.valid}
       WHERE "id" = 'deliverer' AND "holder" = '${this.#holder}' AND "expiresAt" > ${this.#now}`;
  }

  get #now(): string {
    return this.database.provider === 'sqlite'
      ? "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
      : '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
  }
}
