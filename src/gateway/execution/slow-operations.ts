/**
 * Logs operations that take long: which one, what it may cost, and how the database answers its slowest
 * statement. Never a value.
 */
import { createHash } from 'node:crypto';
import { type DocumentNode, print } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { queryPlan } from '../../database/direct-access.js';
import type { Database } from '../../database/open-database.js';
import type { Operation } from '../../graphql/operation/admission.js';
import type { WayOf } from './way.js';

export class SlowOperations {
  #isAskingForPlan = false;

  constructor(
    /** Milliseconds from which an operation is logged. */
    readonly from: number,
    private readonly wayOf: WayOf,
    private readonly database: Pick<Database, 'provider' | 'read'>,
  ) {}

  /** `code` is that of the error in which the operation ended. */
  log(operation: Operation, context: RequestContext, milliseconds: number, code: string | undefined): void {
    this.#describe(operation, context, Math.round(milliseconds), code).catch((err) =>
      context.log.error({ err }, 'A slow operation could not be described'),
    );
  }

  async #describe(operation: Operation, context: RequestContext, ms: number, code: string | undefined): Promise<void> {
    const { name, kind, document, cost } = operation;
    const slowest = context.deadline?.statements?.found;
    const statement = slowest?.sql ?? this.wayOf(operation, context.identity).statements?.[0];
    const statementMs = slowest && Math.round(slowest.milliseconds);
    const plan = statement === undefined ? undefined : await this.#planOf(statement, context.identity.keyId);
    const { way, errors = code ? [code] : undefined } = context.observation ?? {};
    const facts = { operation: name?.slice(0, longestName), kind, way, errors, ms, cost: cost.requested };
    context.log.warn({ ...facts, hash: hashOf(document), statementMs, plan }, 'Slow operation');
  }

  /**
   * Plans are for people, so only one is made at a time. If many operations are slow, the others are logged without a
   * plan.
   */
  async #planOf(statement: string, keyId: string): Promise<readonly string[] | undefined> {
    if (this.#isAskingForPlan) return undefined;
    this.#isAskingForPlan = true;
    return queryPlan(this.database, statement, keyId).finally(() => {
      this.#isAskingForPlan = false;
    });
  }
}

const longestName = 100;

/** The SHA-256 of the text, by which clients and trusted documents name it too. */
const hashOf = (document: DocumentNode): string =>
  createHash('sha256')
    .update(document.loc?.source.body ?? print(document))
    .digest('hex');
