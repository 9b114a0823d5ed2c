/**
 * What the gateway sets in each session. In a session of its own it is set when the connection begins. A pooler such as
 * PgBouncer lends a session for one transaction only, so there each transaction sets it for itself.
 */

export interface SessionSettings {
  /** The URL with what is set when a connection begins. */
  url: string;
  /** The URL without it, because a pooler refuses most of it. */
  bareUrl: string;
  /** The statement that sets it for one transaction, and the statements that begin one with it. */
  forTransaction: string;
  begin: string;
  /** The isolation of transactions, where it is not the one of PostgreSQL. */
  isolation: 'SERIALIZABLE' | undefined;
}

/** Limits in milliseconds, by the names of PostgreSQL. The URL may give others, such as `?lock_timeout=5000`. */
export type SessionLimits = Readonly<Partial<Record<(typeof limitNames)[number], number>>>;

const limitNames = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'] as const;

/**
 * Settings that a role, a database or the server may have set otherwise: dates in the ISO form, because the expiry of a
 * key in another form would be read wrongly; numbers with all digits, because rounded ones would be other values; and
 * warnings, because one of them reports that a commit has not waited for its standby (`ConfirmingClient`).
 */
const always = { datestyle: 'ISO', extra_float_digits: '1', client_min_messages: 'warning' };

export function sessionSettings(url: string, limits: SessionLimits, isolation?: 'SERIALIZABLE'): SessionSettings {
  const extended = new URL(url);
  const bare = new URL(url);
  const set: Record<string, string> = { ...always };
  for (const name of limitNames) {
    const given = Number.parseInt(bare.searchParams.get(name) ?? '', 10);
    bare.searchParams.delete(name);
    const limit = Number.isNaN(given) ? limits[name] : given;
    if (limit === undefined) continue;
    set[name] = String(limit);
    extended.searchParams.set(name, String(limit));
  }
  const isolated = isolation && { default_transaction_isolation: isolation.toLowerCase() };
  const fixed = Object.entries({ ...always, ...isolated }).map(([name, value]) => `-c ${name}=${value}`);
  extended.searchParams.set('options', [extended.searchParams.get('options') ?? '', ...fixed].join(' ').trim());
  const calls = Object.entries(set).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const forTransaction = `SELECT ${calls.join(', ')}`;
  const begin = `BEGIN${isolation ? ` ISOLATION LEVEL ${isolation}` : ''}; ${forTransaction}`;
  return { url: extended.href, bareUrl: bare.href, forTransaction, begin, isolation };
}
