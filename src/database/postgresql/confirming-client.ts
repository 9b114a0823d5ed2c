/**
 * A connection to PostgreSQL that detects what the driver ignores: a commit that the synchronous standbys have not
 * confirmed, and a server that refuses writes.
 */
import pg from 'pg';
import { requireChannelBinding, takeUnencrypted } from './pool/encryption.js';
import { isOutdated } from './pool/pool-share.js';

/** The function of PostgreSQL in which a commit waits for synchronous standbys. */
const waitForStandbys = 'SyncRepWaitForLSN';
/** read_only_sql_transaction */
const readOnly = '25006';

/**
 * An operator who cancels a commit that waits for synchronous standbys (`pg_cancel_backend`) ends its wait: PostgreSQL
 * then answers that it has committed, with a warning that the change may be lost with the server. Here such a commit
 * fails like one whose connection was lost: its outcome is unknown, and a repetition with the same `Idempotency-Key`
 * waits again.
 */
export class ConfirmingClient extends pg.Client {
  #isStandby = false;
  #isReadOnly = false;
  #isOutdated = false;
  readonly #onlyReads: boolean;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this;
    this.#onlyReads = typeof config === 'object' && 'onlyReads' in config && config.onlyReads === true;
    if (typeof config === 'object' && 'takesUnencrypted' in config && config.takesUnencrypted && config.ssl)
      takeUnencrypted(this);
    if (typeof config === 'object' && 'requiresBinding' in config && config.requiresBinding)
      requireChannelBinding(this);
    // These run before the listeners of the driver, which it adds when it connects.
    connection.on('notice', ({ routine }: { routine?: string }) => {
      if (routine !== waitForStandbys) return;
      const error = new Error('Connection terminated: the wait of a commit for its synchronous standby was cancelled');
      connection.emit('error', error);
    });
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnly) this.#isReadOnly = true;
      if (isOutdated(code)) this.#isOutdated = true;
    });
    // PostgreSQL reports this when the connection begins (from version 14 on), and when a standby becomes a primary.
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
  }

  /** Whether a write was refused: a new connection may lead to a server that takes it. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Whether a prepared statement of this connection can no longer be used. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /**
   * Undefined for a primary. While another server takes the place of the primary, its address may lead to a hot standby
   * for a moment: data from there may be old, which a command that only reads is told to take. A primary that becomes a
   * standby ends its connections, so it is enough to ask once.
   */
  get whyNotPrimary(): Error | undefined {
    return this.#isStandby && !this.#onlyReads
      ? new Error('Connection terminated: DATABASE_URL leads to a hot standby')
      : undefined;
  }
}
