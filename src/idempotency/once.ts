/**
 * A request with an `Idempotency-Key` happens once: its answer is stored in the transaction of its effect, and whoever
 * repeats the request within a day gets that answer again. Killed in between, neither is there and the next try does it.
 */
import { createHash } from 'node:crypto';
import type { RequestContext } from '../context.js';
import type { TransactionClient } from '../database/open.js';
import { within } from '../database/within.js';
import { errors } from '../errors.js';
import { largestKept } from '../model/limits.js';
import { noteErrors, noteWay } from '../observation.js';

/** What is sent to the client; `Idempotent-Replayed: true` is added when it is sent again. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
  /** The codes of the errors in it, for the log. */
  codes?: readonly string[];
}

/** An answer, and whether it tells of a fault of ours, which the next try may find gone. */
export interface Outcome {
  answer: Answer;
  isFault: boolean;
}

export interface OnceRequest {
  /** The header's value. */
  key: string;
  /** What makes it the same request: method, path, body. */
  parts: readonly (string | Uint8Array)[];
}

/**
 * The answer of `perform`, which is called with a context whose writes belong to one transaction; or the stored one.
 * A refusal is stored like any answer, with no effect; a fault is undone and not stored, so that the next try is a new
 * one.
 * @throws BAD_REQUEST for a key out of form, IDEMPOTENCY_CONFLICT
 */
export async function once(
  context: RequestContext,
  request: OnceRequest,
  perform: (context: RequestContext) => Promise<Outcome>,
): Promise<Answer> {
  const { database, identity } = context;
  const id = sha256([identity.keyId, checkedKey(request.key)]);
  const fingerprint = sha256(request.parts);
  if (inFlight.has(id)) throw errors.idempotencyKeyInUse();
  inFlight.add(id);
  try {
    await claim(database.client, id, fingerprint);
    return await database.transaction(async (tx) => {
      const known = await take(tx, id, database.provider);
      if (known.fingerprint !== fingerprint) throw errors.idempotencyKeyReused();
      if (known.answer) {
        const answer = replayed(identity.seal.open(known.answer));
        noteWay(context.observation, 'replay');
        noteErrors(context.observation, answer.codes ?? []);
        return answer;
      }
      const { answer, isFault } = await perform({
        ...context,
        database: within(database, tx),
        answerLimit: largestKept,
      });
      if (isFault) throw new Fault(answer);
      if (Buffer.byteLength(answer.body ?? '') > largestKept + frame) throw errors.answerTooLarge(largestKept);
      const sealed = identity.seal.close(JSON.stringify(answer));
      // The day of an answer begins with its effect, not with the first try.
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

/** Bytes of what stands around an answer's values: their names, errors beside them. */
const frame = 256 * 1024;

/** Requests of this process that are being performed; other processes are kept out by the row's lock. */
const inFlight = new Set<string>();

/** Undoes the transaction of a request that failed through no fault of the caller. */
class Fault extends Error {
  constructor(readonly answer: Answer) {
    super('The request failed and is undone');
  }
}

interface Known {
  fingerprint: string;
  answer: Uint8Array | null;
}

/** Makes the request's row, unless this or another process has made it before. Prisma's `upsert` fails when two do at once. */
async function claim(client: TransactionClient, id: string, fingerprint: string): Promise<void> {
  await client.$executeRaw`
    INSERT INTO "IdempotentRequest" ("id", "fingerprint", "createdAt") VALUES (${id}, ${fingerprint}, ${new Date()})
    ON CONFLICT DO NOTHING`;
}

/**
 * The request's row, held until the transaction ends. SQLite has one writer at a time and needs no lock. The row is not
 * there where another process holds it, and where its day was over and it has just been swept.
 */
async function take(tx: TransactionClient, id: string, provider: string): Promise<Known> {
  const [row] =
    provider === 'sqlite'
      ? await tx.idempotentRequest.findMany({ where: { id } })
      : await tx.$queryRaw<Known[]>`
          SELECT "fingerprint", "answer" FROM "IdempotentRequest" WHERE "id" = ${id} FOR UPDATE SKIP LOCKED`;
  if (!row) throw errors.idempotencyKeyInUse();
  return row;
}

function replayed(text: string | undefined): Answer {
  if (text === undefined) throw errors.idempotencyAnswerSealed();
  const answer: Answer = JSON.parse(text);
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}

function checkedKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw errors.badRequest('idempotency_key_invalid');
}

function sha256(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}
