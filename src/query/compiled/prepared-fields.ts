/** The fields of an operation: all are prepared, then they are read in order, up to the limit of the answer. */

import type { FieldNode } from 'graphql';
import type { Bytes } from '../../common/bytes.js';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import type { Turns } from '../../database/turns.js';
import { errors } from '../../model/errors/errors.js';
import type { CompiledRootField, RunQuery } from '../sql/statement.js';
import type { Selected } from './selection.js';
import type { Variables } from './variables.js';

/** A field whose statements are written. */
export interface PreparedField {
  field: Selected;
  textOf(read: RunQuery): MaybePromise<Bytes>;
}

/**
 * Prepares all fields before the first is read; undefined if the resolvers must answer one. A hundred fields with a
 * thousand values each take 0.3 s, so the event loop serves other requests in between.
 */
export function prepared(
  fields: readonly { field: Selected; answer: CompiledRootField }[],
  variables: Variables,
  turns: Turns | undefined,
  there: readonly PreparedField[] = [],
): MaybePromise<readonly PreparedField[] | undefined> {
  const all = [...there];
  for (const { field, answer } of fields.slice(there.length)) {
    const due = turns?.due();
    if (due) return due.then(() => prepared(fields, variables, turns, all));
    const textOf = answer(variables);
    if (!textOf) return undefined;
    all.push({ field, textOf });
  }
  return all;
}

/** Reads the fields in order. Once their answers exceed `limit` bytes, no further field is read. */
export function answered(
  fields: readonly PreparedField[],
  read: RunQuery,
  limit: number,
  turns: Turns | undefined,
): MaybePromise<readonly CompiledField[]> {
  const counted = countedUpTo(limit);
  return runInOrder(
    fields.map(
      ({ field, textOf }) =>
        () =>
          outcomeOf(field, () => counted(() => textOf(read))),
    ),
    turns,
  );
}

/** The answer of an operation of one field: most have one, and are answered without lists. */
export const answeredAlone = (
  { field, textOf }: PreparedField,
  read: RunQuery,
  limit: number,
): MaybePromise<readonly CompiledField[]> =>
  whenResolved(
    outcomeOf(field, () => whenResolved(textOf(read), (text) => requireAtMost(text, limit))),
    (outcome) => [outcome],
  );

function requireAtMost(text: Bytes, limit: number): Bytes {
  if (text.length > limit) throw errors.answerTooLarge(limit);
  return text;
}

/** The outcome of a field. A database error is its answer: asking again by another way would not help. */
function outcomeOf({ key, nodes }: Selected, answer: () => MaybePromise<Bytes>): MaybePromise<CompiledField> {
  return recoverWith<CompiledField>(
    () => whenResolved(answer(), (text) => ({ key, nodes, text })),
    (error) => ({ key, nodes, text: undefined, error }),
  );
}

/** Counts the bytes of all answers; once they exceed the limit, no further field is read. */
function countedUpTo(limit: number): (answer: () => MaybePromise<Bytes>) => MaybePromise<Bytes> {
  let left = limit;
  const check = () => {
    if (left < 0) throw errors.answerTooLarge(limit);
  };
  return (answer) => {
    check();
    return whenResolved(answer(), (text) => {
      left -= text.length;
      check();
      return text;
    });
  };
}

/** A field in the answer of a compiled operation. */
export interface CompiledField {
  /** The response name. */
  key: string;
  /** The nodes that select it, for the location of an error. */
  nodes: readonly FieldNode[];
  /** The JSON text of its value; undefined if it failed. */
  text: Bytes | undefined;
  /** Why it failed. */
  error?: unknown;
}

/**
 * How many reads are made at the same time on PostgreSQL. Not all at once, because the first ones may already exceed the
 * limit of the answer.
 */
const atOnce = 4;

/** Runs the reads in order and collects their results. Between two of them the event loop serves other requests. */
export function runInOrder<Value>(
  questions: readonly (() => MaybePromise<Value>)[],
  turns?: Turns,
  there: readonly Value[] = [],
): MaybePromise<readonly Value[]> {
  const values = [...there];
  while (values.length < questions.length) {
    const due = turns?.due();
    if (due) return due.then(() => runInOrder(questions, turns, values));
    const [first, ...others] = questions.slice(values.length, values.length + atOnce);
    if (!first) break;
    const value = first();
    if (value instanceof Promise) {
      return Promise.all([value, ...others.map((ask) => ask())]).then((more) =>
        runInOrder(questions, turns, [...values, ...more]),
      );
    }
    values.push(value);
  }
  return values;
}
