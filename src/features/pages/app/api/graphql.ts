import { addressOf } from '../router.js';
import { refused } from '../session/session.js';
import { jsonOf, reach } from './about.js';

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

/** The gateway answered without data; the message is the gateway's own. */
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
 * Asks the public API with the key of the signed-in user. `Data` is the shape that the operation selects.
 *
 * @throws `Refusal` where there is no data at all, and `Unreachable` where there is no answer
 */
export async function ask<Data>(
  key: string,
  query: string,
  variables: object = {},
  signal?: AbortSignal,
): Promise<Answer<Data>> {
  const response = await send(key, JSON.stringify({ query, variables }), { signal });
  return answerOf(response, await jsonOf(response), key);
}

interface Sending {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

const send = (key: string, body: string, { signal, headers }: Sending) =>
  reach(endpoint, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...headers,
    },
    body,
    signal: signal ?? null,
  });

function answerOf<Data>(response: Response, answer: Answer<Data>, key: string): Answer<Data> {
  if (response.status === 401) refused(key);
  if (!answer.data) throw new Refusal(answer.errors ?? [{ message: `The gateway answered ${response.status}.` }]);
  return answer;
}

/** Like `ask`, where a part that was refused makes the whole useless. */
export async function askAll<Data>(key: string, query: string, variables?: object, signal?: AbortSignal) {
  return wholeOf(await ask<Data>(key, query, variables, signal));
}

/** The `Idempotency-Key` of each write that was sent and not answered, by its body. */
const unanswered = new Map<string, string>();

/** Milliseconds before a write whose answer was lost is sent again. */
const pauses = [300, 1500];

/**
 * Like `askAll`, for a write. If its answer is lost it is sent again, and happens only if it has not happened yet; the same
 * holds for whoever presses the button again.
 */
export async function askOnce<Data>(key: string, query: string, variables?: object) {
  const body = JSON.stringify({ query, variables });
  const once = unanswered.get(body) ?? newKey();
  unanswered.set(body, once);
  const attempt = () => send(key, body, { headers: { 'Idempotency-Key': once } });
  const response = await attempt()
    .catch(() => later(pauses[0]).then(attempt))
    .catch(() => later(pauses[1]).then(attempt));
  const answer = await jsonOf<Answer<Data>>(response);
  if (response.status < 500 && response.status !== 409) unanswered.delete(body);
  return wholeOf(answerOf(response, answer, key));
}

const later = (pause: number | undefined) => new Promise((resolve) => setTimeout(resolve, pause));

/** `randomUUID` would be there on safe origins only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

function wholeOf<Data>({ data, errors }: Answer<Data>): Data {
  if (errors || !data) throw new Refusal(errors ?? []);
  return data;
}

/** Whether the gateway knows this key. @throws what `ask` throws, such as that the key has made its requests of this minute */
export async function isKnown(key: string): Promise<boolean> {
  try {
    await ask(key, '{ __typename }');
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') return false;
    throw error;
  }
}
