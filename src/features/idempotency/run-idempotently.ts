/**
 * Executes a request with an `Idempotency-Key` once: its answer is stored in the same transaction as its effect, and a
 * repetition within a day gets the stored answer. If the process is killed in between, neither is stored, and the next
 * attempt executes the request.
 */

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestContext } from '../../change/context.js';
import { noteErrors } from '../../change/observation.js';
import { inAttempts } from '../../change/perform.js';
import { repeat } from '../../common/timing.js';
import type { Procedure } from '../../common/work.js';
import { inNameOf } from '../../database/direct-access.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database, TransactionClient } from '../../database/open-database.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import type { Answer, AttemptResult, PerformedCall, ServedFeature } from '../../gateway/feature.js';
import { invalidRequest } from '../../model/errors/error-rows.js';
import { errors } from '../../model/errors/errors.js';
import { type ErrorRow, errorTable, GatewayError } from '../../model/errors/gateway-error.js';
import { largestKept } from '../../model/limits.js';

/**
 * Returns the stored answer, or that of `perform`, which gets a context whose writes belong to one transaction. A
 * refusal is stored like any other answer. A fault is rolled back and not stored, so that the next attempt executes the
 * request again. @throws BAD_REQUEST for a malformed key, IDEMPOTENCY_CONFLICT
 */
export async function runIdempotently(
  context: RequestContext,
  { headers, parts }: PerformedCall,
  perform: (context: RequestContext) => Promise<AttemptResult>,
): Promise<Answer> {
  const { database, identity } = context;
  const id = sha256([identity.keyId, keyIn(headers)]);
  const fingerprint = sha256(parts);
  if (inFlight.has(id)) throw refusalOf('idempotency_key_in_use');
  inFlight.add(id);
  try {
    await inNameOf(context.deadline, () => claim(database.client, id, fingerprint));
    return await inAttempts(context, async (attempt, tx) => {
      const known = await take(tx, id, database.provider);
      if (known.fingerprint !== fingerprint) throw refusalOf('idempotency_key_reused');
      if (known.answer) return replayed(context, known.answer);
      const { answer, isFault } = await perform({ ...attempt, answerLimit: largestKept });
      if (isFault) throw new Fault(answer);
      if (Buffer.byteLength(answer.body ?? '') > largestKept + frame) throw errors.answerTooLarge(largestKept);
      const sealed = identity.seal.close(JSON.stringify({ ...answer, rights: identity.rights?.digest }));
      // The answer is kept for a day from when it took effect, not from the first attempt.
      await tx.idempotentRequest.update({ where: { id }, data: { answer: sealed, createdAt: new Date() } });
      return answer;
    });
  } catch (error) {
    if (error instanceof Fault) return error.answer;
    throw error;
  } finally {
    inFlight.delete(id);
  }
}

/** The answer stored for a request that is not executed; undefined if there is none. @throws BAD_REQUEST */
export async function storedAnswer(
  context: RequestContext,
  { headers, parts }: PerformedCall,
): Promise<Answer | undefined> {
  const id = sha256([context.identity.keyId, keyIn(headers)]);
  const where = { id, fingerprint: sha256(parts) };
  const { database } = context;
  const [known] = await inNameOf(context.deadline, () => database.client.idempotentRequest.findMany({ where }));
  return known?.answer ? replayed(context, known.answer) : undefined;
}

/** Bytes allowed for what surrounds the values of an answer, such as names and errors. */
const frame = 256 * 1024;

/** Requests that this process is executing; the row lock keeps out other processes. */
const inFlight = new Set<string>();

/** Rolls back the transaction of a request that failed through a fault of the server. */
class Fault extends Error {
  constructor(readonly answer: Answer) {
    super('The request failed and is undone');
  }
}

interface Known {
  fingerprint: string;
  answer: Uint8Array | null;
}

/**
 * Inserts the request's row unless it exists. Not `upsert`, because Prisma's fails when two processes insert at once.
 */
async function claim(client: TransactionClient, id: string, fingerprint: string): Promise<void> {
  await client.$executeRaw`
    INSERT INTO "IdempotentRequest" ("id", "fingerprint", "createdAt") VALUES (${id}, ${fingerprint}, ${new Date()})
    ON CONFLICT DO NOTHING`;
}

/**
 * Reads the request's row and locks it until the transaction ends; SQLite needs no lock, because it has one writer at a
 * time. No row means that another process holds the lock, or that the row expired and was just deleted.
 */
async function take(tx: TransactionClient, id: string, provider: string): Promise<Known> {
  const [row] =
    provider === 'sqlite'
      ? await tx.idempotentRequest.findMany({ where: { id } })
      : await tx.$queryRaw<Known[]>`
          SELECT "fingerprint", "answer" FROM "IdempotentRequest" WHERE "id" = ${id} FOR UPDATE SKIP LOCKED`;
  if (!row) throw refusalOf('idempotency_key_in_use');
  return row;
}

function replayed({ identity, observation }: RequestContext, sealed: Uint8Array): Answer {
  const text = identity.seal.open(sealed);
  if (text === undefined) throw refusalOf('idempotency_answer_sealed');
  const { rights, ...answer }: Answer & { rights?: string } = JSON.parse(text);
  // The answer shows what the roles let its caller see then.
  if (rights !== identity.rights?.digest) throw refusalOf('idempotency_answer_sealed', otherRights);
  if (observation) observation.way = 'replay';
  noteErrors(observation, answer.codes ?? []);
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}

const header = 'idempotency-key';

/** The key of a request that has one. @throws idempotency_key_invalid */
export function keyIn(headers: IncomingHttpHeaders): string {
  const key = String(headers[header]);
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw refusalOf('idempotency_key_invalid');
}

function sha256(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

// Why a request that repeats an `Idempotency-Key` cannot be given the answer to the first request with it.

const conflict: ErrorRow = { code: 'IDEMPOTENCY_CONFLICT', type: 'idempotency_error', status: 409 };

const rows = errorTable({
  idempotency_key_invalid: {
    ...invalidRequest,
    message: 'The header Idempotency-Key takes 1 to 255 visible ASCII characters, a UUID for example.',
  },
  idempotency_key_in_use: {
    ...conflict,
    message: 'The first request with this Idempotency-Key is still under way. Try again in a moment.',
  },
  /** The request was executed with this API key, but with an earlier secret; or for this person, with another ANSWER_KEY. */
  idempotency_answer_sealed: {
    ...conflict,
    message:
      'This request was executed before, but its answer is encrypted with an earlier secret of this API key, or with an earlier ANSWER_KEY, and cannot be read. Check whether its effect is there; to execute it again, send a new Idempotency-Key.',
  },
  idempotency_key_reused: {
    ...conflict,
    status: 422,
    message:
      'This Idempotency-Key belongs to another request. Use a new key for a new request, and the same body for a repeated one.',
  },
});

const otherRights =
  'This request was executed before, but your roles give you other rights since then, so its answer is not shown again. Check whether its effect is there; to execute it again, send a new Idempotency-Key.';

const refusalOf = (reason: keyof typeof rows, message?: string): GatewayError =>
  new GatewayError(reason, rows[reason], message);

export const servedIdempotency: ServedFeature = {
  errors: { after: 'content_type_unsupported', rows, example: refusalOf('idempotency_key_reused') },
  ofRecords: ['Idempotency-Key'],
  join: () => ({ performer: { header, check: keyIn, perform: runIdempotently, answered: storedAnswer } }),
  // One of several processes sweeps.
  start: ({ database, log, sweeps }) => (sweeps ? { stop: keepSwept(database, log) } : undefined),
};

/** Milliseconds for which an answer can be replayed. */
export const keptFor = 24 * 60 * 60 * 1000;
/** Milliseconds before the first sweep, short enough for processes that are restarted often, and between sweeps. */
const sweeps = { first: 60 * 1000, every: 60 * 60 * 1000 };
/** Rows deleted by each statement, and milliseconds between statements: on SQLite all writers wait for each. */
const batch = { rows: 20, pause: 20 };

type Swept = Pick<Database, 'perform' | 'provider'>;

/** Deletes answers older than a day in small batches; returns their number. Stops early when the signal is aborted. */
export async function sweep({ perform, provider }: Swept, now = Date.now(), signal?: AbortSignal): Promise<number> {
  const old = new Date(now - keptFor);
  let count = 0;
  for (;;) {
    const deleted = await perform(() => deleteSome(provider, old));
    count += deleted;
    if (deleted < batch.rows || signal?.aborted) return count;
    await sleep(batch.pause, undefined, { ref: false });
  }
}

function* deleteSome(provider: Provider, old: Date): Procedure<number> {
  const deletion = new StatementBuilder(provider);
  const sql = `
    DELETE FROM "IdempotentRequest" WHERE "id" IN
      (SELECT "id" FROM "IdempotentRequest" WHERE "createdAt" < ${deletion.bind(old)}
       ORDER BY "createdAt" LIMIT ${batch.rows})
    RETURNING "id"`;
  const deleted = yield { ...deletion.statement(sql), isWhole: true, callsNoListeners: true };
  return deleted.length;
}

/**
 * Sweeps regularly until the returned function is called. A failed sweep is only logged, because another one follows.
 */
export function keepSwept(database: Swept, log: Pick<Logger, 'warn'>, { first, every } = sweeps): () => void {
  const end = new AbortController();
  const { signal } = end;
  void repeat(
    () => sweep(database, undefined, signal),
    { first, every, signal },
    (err) => log.warn({ err }, 'Expired answers of idempotent requests could not be deleted'),
  );
  return () => end.abort();
}
