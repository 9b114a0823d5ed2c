/**
 * How a system is asked for an operation, and how its answer is converted to the form in which answers are compared.
 */
import type { Operation } from '../workloads.js';

export interface Phrases {
  /** Whether the system has the operation. */
  has(operation: Operation): boolean;
  request(operation: Operation, subject: Subject): HttpRequest;
  /** For a REST operation the REST body, for a GraphQL operation the gateway's `data`. */
  answer(operation: Operation, body: Json): Json;
}

/** What a request refers to. */
export interface Subject {
  id: string;
  /** The number of records that `farPage` skips. */
  offset: number;
  /** The number of records that `middlePage` skips: half of all. */
  middle: number;
  /** The cursor that `cursorPage` starts after. */
  cursor: string;
  /** The consumed items of a supplied record, in their first order; none of other records. */
  consumedItems: readonly string[];
  /** Differs between the requests of a workload, so that each of its writes changes something. */
  turn: number;
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  body?: Json;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A GraphQL operation of a system. */
export interface Phrase {
  query: string;
  variables?(subject: Subject): { [key: string]: Json };
  /** Converts `data` to the form in which answers are compared; unchanged by default. */
  answer?(data: Json): Json;
}

/** The phrases of a system with only a GraphQL endpoint. */
export function graphqlPhrases(phrases: Partial<Record<Operation, Phrase>>): Phrases {
  const phraseOf = (operation: Operation): Phrase => {
    const phrase = phrases[operation];
    if (!phrase) throw new Error(`This system is not asked for ${operation}`);
    return phrase;
  };
  return {
    has: (operation) => phrases[operation] !== undefined,
    request: (operation, subject) => {
      const { query, variables } = phraseOf(operation);
      return { method: 'POST', path: '/graphql', body: { query, variables: variables?.(subject) ?? {} } };
    },
    answer: (operation, body) => {
      const data = at(body, 'data');
      return phraseOf(operation).answer?.(data) ?? data;
    },
  };
}

/** The value at a path in a body. @throws if the path does not exist */
export function at(body: Json, ...path: string[]): Json {
  let value = body;
  for (const key of path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || !(key in value)) {
      throw new Error(`No ${path.join('.')} in ${JSON.stringify(body).slice(0, 500)}`);
    }
    value = value[key] ?? null;
  }
  return value;
}
