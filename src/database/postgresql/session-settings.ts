/**
 * What the gateway sets in each session. In a session of its own it is set when the connection begins. A pooler such as
 * PgBouncer lends a session for one transaction only, so there each transaction sets it for itself.
 */
import type pg from 'pg';
import type { PostgresqlAddress } from '../database-url.js';
import { encryption, isOptional } from './client.js';

/** How to connect. `takesUnencrypted` says whether a server without TLS will do, where `ssl` asks for it. */
export type Connection = pg.ClientConfig & { takesUnencrypted: boolean; requiresBinding: boolean };

export type SessionSettings = ReturnType<typeof sessionSettings>;

/** Limits in milliseconds, by the names of PostgreSQL. The address may give others, such as `?lock_timeout=5000`. */
type SessionLimits = Readonly<Record<(typeof limitNames)[number], number>>;

const limitNames = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'] as const;

/**
 * Settings that a role, a database or the server may have set otherwise, and that change what a statement answers, or what it
 * writes. Warnings, because one of them reports that a commit has not waited for its standby (`ConfirmingClient`).
 */
const always = {
  array_nulls: 'on',
  bytea_output: 'hex',
  client_min_messages: 'warning',
  datestyle: 'ISO,MDY',
  extra_float_digits: '1',
  intervalstyle: 'postgres',
  standard_conforming_strings: 'on',
  timezone: 'UTC',
};

/** The same, for PostgreSQL itself. */
const notDistributed = {
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  quote_all_identifiers: 'off',
  transform_null_equals: 'off',
};

/**
 * What is set as it is, but for values that lose or damage what is written; set for the session, a reload of the
 * server's settings does not change it any more. With `synchronous_commit = off` a crash of the server loses commits
 * that it has confirmed; with `session_replication_role = replica` no foreign key and no trigger holds. Only a
 * superuser may set the second, so any other role is refused where it is `replica`.
 */
const withoutHarm = (isLocal: boolean): string[] => {
  const set = (name: string, value: string, instead: string) =>
    `set_config('${name}', CASE current_setting('${name}') WHEN '${value}' THEN '${instead}' ELSE current_setting('${name}') END, ${isLocal})`;
  const maySet = `current_setting('is_superuser') = 'on' OR current_setting('session_replication_role') = 'replica'`;
  return [
    set('synchronous_commit', 'off', 'on'),
    `CASE WHEN ${maySet} THEN ${set('session_replication_role', 'replica', 'origin')} END`,
  ];
};

/** Limits of a role that the gateway has limits of its own for; the first version of PostgreSQL that has each. */
const otherLimits: [string, number][] = [
  ['idle_session_timeout', 140_000],
  ['transaction_timeout', 170_000],
];

/** `version` is that of the server, such as 180001, where it is known. */
export function sessionSettings(address: PostgresqlAddress, limits: SessionLimits, version = 0) {
  const { parameters, ...login } = address;
  const isDistributed = parameters.profile === 'distributed';
  /** The isolation of transactions, where it is not the one of PostgreSQL. */
  const isolation: 'SERIALIZABLE' | undefined = isDistributed ? 'SERIALIZABLE' : undefined;
  const set: Record<string, string> = {
    ...always,
    ...(!isDistributed && notDistributed),
    search_path: `"${parameters.schema}"`,
  };
  for (const name of limitNames) set[name] = String(parameters[name] ?? limits[name]);
  for (const [name, since] of otherLimits) if (version >= since) set[name] = '0';
  const level = isolation ?? 'READ COMMITTED';
  const flags = Object.entries({ ...set, default_transaction_isolation: level.toLowerCase() });
  const options = flags.map(([name, value]) => `-c ${name}=${value.replace(/[\s\\]/g, '\\$&')}`);
  const calls = Object.entries(set).map(
    ([name, value]) => `set_config('${name}', '${value.replaceAll("'", "''")}', true)`,
  );
  const safe = (isLocal: boolean) => (isDistributed ? [] : withoutHarm(isLocal));
  /** The statement with which each connection for writes begins, because what it sets depends on what is set. */
  const onConnect = `SELECT ${['1', ...safe(false)].join(', ')}`;
  /** The statement that sets all of it for one transaction, and the statements that begin one with it. */
  const forTransaction = `SELECT ${[...calls, ...safe(true)].join(', ')}`;
  /** The connection without what is set when it begins, because a pooler refuses most of it. */
  const bareConnection: Connection = {
    ...login,
    options: parameters.options,
    ssl: encryption(address),
    takesUnencrypted: isOptional(address),
    enableChannelBinding: /^(prefer|require)$/.test(parameters.channel_binding ?? ''),
    requiresBinding: parameters.channel_binding === 'require',
    application_name: parameters.application_name ?? 'business-records-gateway',
  };
  const connection: Connection = { ...bareConnection, options: [parameters.options ?? [], options].flat().join(' ') };
  const begin = `BEGIN ISOLATION LEVEL ${level}; ${forTransaction}`;
  return { connection, bareConnection, onConnect, forTransaction, begin, isolation };
}
