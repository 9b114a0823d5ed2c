/** How one system is asked for an operation, and how its answer reads in the form all systems are compared in. */
import type { Operation } from '../workloads.js';

export interface Phrases {
  request(operation: Operation, subject: Subject): HttpRequest;
  /** REST operations: the REST body. GraphQL operations: the `data` the gateway answers with. */
  answer(operation: Operation, body: Json): Json;
}

/** What a request is about. */
export interface Subject {
  id: string;
  /** How many records are skipped by `farPage`. */
  offset: number;
  /** Behind which `cursorPage` begins. */
  cursor: string;
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: Json;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One GraphQL operation of a system. */
export interface Phrase {
  query: string;
  variables?(subject: Subject): { [key: string]: Json };
  /** The answer in the form of comparison; `data` itself unless given. */
  answer?(data: Json): Json;
}

/** A system that is asked at `/graphql` alone. */
export function graphqlPhrases(phrases: Partial<Record<Operation, Phrase>>): Phrases {
  const phraseOf = (operation: Operation): Phrase => {
    const phrase = phrases[operation];
    if (!phrase) throw new Error(`There are no words for ${operation}`);
    return phrase;
  };
  return {
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

/** The value at a path into a body; throws where the body is another. */
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
