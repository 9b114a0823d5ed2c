import pg from 'pg';
import { isPooled, poolerIn } from './pooler.js';
import { sessionSettings } from './session-settings.js';

/**
 * Milliseconds to wait for a lock. A migration waits for less at a time and begins again: requests that come meanwhile wait
 * behind it for a table that it is to change.
 */
const longestWait = { inspection: 60_000, migration: 1_000 };

/** A session for work on a whole database without the limits of requests. */
export interface ToolSession {
  client: pg.Client;
  /** Whether a pooler gives it for one transaction at a time. */
  isPooled: boolean;
  /** Follows each BEGIN: nothing where the session keeps what is set. */
  settings: string;
}

/** Connects. A pooler refuses settings of the session, so the second attempt leaves them out. */
export async function toolSession(url: string, purpose: keyof typeof longestWait): Promise<ToolSession> {
  const settings = sessionSettings(url, { lock_timeout: longestWait[purpose] });
  const said = poolerIn(url);
  const pooled = async () => ({
    client: await connect(settings.bareUrl, purpose),
    isPooled: true,
    settings: `; ${settings.forTransaction}`,
  });
  if (said) return pooled();
  try {
    const client = await connect(settings.url, purpose);
    if (said === false || !(await isPooled(client))) return { client, isPooled: false, settings: '' };
    await client.end();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === refusedParameter)) throw error;
  }
  return pooled();
}

const refusedParameter = '08P01';

async function connect(connectionString: string, purpose: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    application_name: `business-records-gateway ${purpose}`,
  });
  // Without a listener, an error of the idle session would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
