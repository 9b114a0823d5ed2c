import { addressOf } from '../place.js';
import { refused } from '../session/session.js';

export interface Problem {
  message: string;
  path?: (string | number)[];
  extensions?: {
    code?: string;
    currentVersion?: number;
    /** What is wrong with the input, each with its place. */
    errors?: { param: string; code: string; message: string }[];
  };
}

export interface Answer<Data> {
  data?: Data | null;
  errors?: Problem[];
}

/** What was asked for is not there, with the reason in the gateway's own words. */
export class Refusal extends Error {
  constructor(readonly problems: Problem[]) {
    super(problems.map(({ message }) => message).join(' '));
  }

  get code(): string | undefined {
    return this.problems[0]?.extensions?.code;
  }
}

/** The endpoint of GraphQL. */
export const endpoint = addressOf('graphql');

/**
 * Asks the public API with the key of whoever looks. `Data` is the shape that the operation selects.
 *
 * @throws `Refusal` where there is no data at all, and what `fetch` throws where the gateway cannot be reached
 */
export async function ask<Data>(
  key: string,
  query: string,
  variables: object = {},
  signal?: AbortSignal,
): Promise<Answer<Data>> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal,
  });
  if (response.status === 401) refused(key);
  const answer: Answer<Data> = await response.json();
  if (!answer.data) throw new Refusal(answer.errors ?? [{ message: `The gateway answered ${response.status}.` }]);
  return answer;
}

/** Like `ask`, where a part that was refused makes the whole useless. */
export async function askAll<Data>(key: string, query: string, variables?: object, signal?: AbortSignal) {
  const { data, errors } = await ask<Data>(key, query, variables, signal);
  if (errors || !data) throw new Refusal(errors ?? []);
  return data;
}

/** Whether the gateway knows this key. */
export async function isKnown(key: string): Promise<boolean> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  if (response.status === 401) return false;
  if (!response.ok) throw new Error(`The gateway answered ${response.status}. Try again in a moment.`);
  return true;
}
