/**
 * Executes admitted operations. It chooses how: from the schema alone (introspection), by compiled SQL, or by the
 * resolvers. The resolvers define the right answer; the other two must give the same.
 */

import { hash } from 'node:crypto';
import {
  type DocumentNode,
  executeSync,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { compiledWritesOf, createCompiledWrites } from '../../change/compiled/writes.js';
import type { RequestContext } from '../../change/context.js';
import { noteErrors } from '../../change/observation.js';
import { type Bytes, bytesOf } from '../../common/bytes.js';
import { WeighedCache } from '../../common/kept.js';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { queryPlan } from '../../database/direct-access.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import { jsonText } from '../../graphql/limits/json-text.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { nodesOf } from '../../graphql/operation/selection.js';
import { knownError, showError, userErrorsOf } from '../../graphql/shown-errors/show-error.js';
import { errors as catalogue } from '../../model/errors/errors.js';
import { type CompiledField, compiledReadsOf, createCompiledReads } from '../../query/compiled/reads.js';
import { coversCompiled, createEngine, isTooLarge, limitAnswer, type MeasuredResult } from './resolvers.js';
import { createWays, type WayOf } from './way.js';

/** The answer to an operation, in one of three forms. Errors are already formatted for the client. */
export type OperationResult =
  /** The JSON text of the whole `data`. */
  | { data: Bytes }
  | { fields: readonly AnsweredField[] }
  /** The result of the resolvers, and the JSON text of its `data`. */
  | MeasuredResult;

/** A field of `data`: the JSON text of its value, or the error that makes it null. */
export type AnsweredField = { key: string } & ({ text: Bytes } | { error: GraphQLError });

/** The JSON text of each field that was answered, by its name in the answer, and the errors. */
export function fieldsIn(outcome: OperationResult): { texts: Map<string, Bytes>; errors: GraphQLError[] } {
  const texts = new Map<string, Bytes>();
  const errors: GraphQLError[] = [];
  if ('fields' in outcome) {
    for (const field of outcome.fields) {
      if ('error' in field) errors.push(field.error);
      else texts.set(field.key, field.text);
    }
  } else if ('result' in outcome) {
    errors.push(...(outcome.result.errors ?? []));
    for (const [key, value] of Object.entries(outcome.result.data ?? {}))
      texts.set(key, bytesOf(JSON.stringify(value)));
  }
  return { texts, errors };
}

/**
 * Executes an operation. Errors of fields are part of the outcome. @throws `answer_too_large`, or an unexpected error
 */
export type Execute = (operation: Operation, context: RequestContext) => MaybePromise<OperationResult>;

export interface ExecutionParts {
  schema: GraphQLSchema;
  plugins: Plugin<RequestContext>[];
  provider: Provider;
  /**
   * Whether to compile plain reads and writes to SQL; if false, the resolvers answer everything with the same results.
   */
  compiled: boolean;
  /** The largest answer, in bytes. */
  answerLimit: number;
}

/** Makes the executor, and what tells how it would execute an operation. */
export function createExecution({ schema, plugins, provider, compiled, answerLimit }: ExecutionParts) {
  // A plugin that does not declare how it treats compiled operations may guard or change execution, so it has to see
  // all.
  const mayCompile = compiled && plugins.every(coversCompiled);
  const operations = mayCompile
    ? { readOf: compiledReadsOf(provider, answerLimit), writeOf: compiledWritesOf(provider, answerLimit) }
    : undefined;
  const resolve = limitAnswer(createEngine(schema, plugins), answerLimit);
  const introspection = keepIntrospection(schema, answerLimit);
  const read = operations && createCompiledReads(operations.readOf);
  const write = operations && createCompiledWrites(operations.writeOf, userErrorsOf);

  const execute: Execute = (operation, context) => {
    const { observation } = context;
    // Not a copy: a context is made for one request, which performs one mutation.
    if (operation.kind === 'mutation') context.operationName = operation.name?.slice(0, longestName);
    const data = operations && introspection(operation);
    if (data !== undefined) {
      if (observation) observation.way = 'introspection';
      return { data };
    }
    const direct = operation.kind === 'mutation' ? write : read;
    return whenResolved<readonly CompiledField[] | undefined, OperationResult>(
      direct?.(operation, context),
      (fields) => {
        if (observation) observation.way = fields ? 'sql' : 'resolvers';
        if (fields) return { fields: answered(fields, context) };
        return resolve(operation, context).then((measured) => {
          const codes = measured.result.errors?.map(({ extensions }) => extensions.code);
          noteErrors(observation, codes ?? []);
          return measured;
        });
      },
    );
  };
  return { execute, wayOf: createWays(operations) };
}

/** The most characters of an operation's name in the journal and in the log. */
const longestName = 100;

/** Formats the errors of compiled fields the same way as errors of resolvers. */
function answered(fields: readonly CompiledField[], context: RequestContext): readonly AnsweredField[] {
  if (fields.every(isAnswered)) return fields;
  const shown = fields.map((field): AnsweredField => {
    if (isAnswered(field)) return field;
    const { key, error } = field;
    const nodes = nodesOf(field.field);
    // An answer that is too large is refused as a whole.
    const known = knownError(error);
    if (isTooLarge(known)) throw known;
    const originalError = error instanceof Error ? error : new Error(String(error));
    return {
      key,
      error: showError(new GraphQLError(originalError.message, { nodes, path: [key], originalError }), context),
    };
  });
  const codes = shown.map((field) => 'error' in field && field.error.extensions.code);
  noteErrors(context.observation, codes);
  return shown;
}

const isAnswered = (field: CompiledField): field is CompiledField & { text: Bytes } => field.text !== undefined;

/** The capacity of the cache, in characters; introspection of the whole schema takes about two million. */
const charactersKept = 12_000_000;

/**
 * Caches the answers to introspection. Computing one blocks the event loop, the schema never changes while the process
 * runs, and GraphiQL and code generators ask for all of it. Returns the JSON text of `data` for a pure introspection query, and
 * undefined for any other operation.
 */
function keepIntrospection(schema: GraphQLSchema, answerLimit: number) {
  const answers = new WeighedCache<Bytes>(charactersKept, (_text, answer) => answer.length);

  return (operation: Operation): Bytes | undefined => {
    if (!isPureIntrospection(operation.definition)) return undefined;
    // Everything the answer depends on.
    const key = `${operation.name ?? ''} ${operation.document.loc?.source.body}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = textOf(schema, operation, answerLimit);
    if (answer !== undefined) answers.set(key, answer);
    return answer;
  };
}

/** Whether the query has no variables and selects only `__schema` and `__type`. */
function isPureIntrospection({ operation, variableDefinitions, selectionSet }: OperationDefinitionNode): boolean {
  if (operation !== 'query' || variableDefinitions?.length) return false;
  return selectionSet.selections.every(
    (selection) =>
      selection.kind === Kind.FIELD && (selection.name.value === '__schema' || selection.name.value === '__type'),
  );
}

/** @throws `answer_too_large` before the text is built */
function textOf(schema: GraphQLSchema, { document, definition }: Operation, answerLimit: number): Bytes | undefined {
  const { data, errors } = executeSync({ schema, document, operationName: definition.name?.value });
  if (errors) return undefined;
  const text = jsonText(data, answerLimit);
  if (text === undefined) throw catalogue.answerTooLarge(answerLimit);
  return bytesOf(text);
}

/** Characters from which an answer blocks the event loop noticeably. */
const large = 128 * 1024;

/**
 * Wraps an executor so that operations that take long are logged, and operations whose last answer was large, or refused as too
 * large, start one at a time, with a turn of the event loop for other requests in between. Otherwise a burst of them would
 * delay every request behind them.
 */
export function executeInTurn(execute: Execute, slow: SlowOperations): Execute {
  const known = new WeakSet<OperationDefinitionNode>();
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  const turn = () =>
    new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });

  return (operation, context) => {
    const startedAt = performance.now();
    const { definition } = operation;
    const isKnown = known.has(definition);
    const ended = (code?: string) => {
      const milliseconds = performance.now() - startedAt;
      if (milliseconds >= slow.from) slow.log(operation, context, milliseconds, code);
    };
    return recoverWith(
      () =>
        whenResolved(
          isKnown ? turn().then(() => execute(operation, context)) : execute(operation, context),
          (outcome) => {
            if (isLarge(outcome)) known.add(definition);
            else if (isKnown) known.delete(definition);
            ended();
            return outcome;
          },
        ),
      (error) => {
        if (isTooLarge(error)) known.add(definition);
        ended(knownError(error).code);
        throw error;
      },
    );
  };
}

const isLarge = (outcome: OperationResult): boolean =>
  'fields' in outcome && outcome.fields.some((field) => 'text' in field && field.text.length > large);

// Logs operations that take long: which one, what it may cost, and how the database answers its slowest
// statement. Never a value.

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

/** The SHA-256 of the text, by which clients and trusted documents name it too. */
const hashOf = (document: DocumentNode): string => hash('sha256', document.loc?.source.body ?? print(document));
