import { type QueryFilters, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, useContext, useState } from 'react';
import type { About, TypeAbout } from '../../about.js';
import { addressOf } from '../router.js';
import { freshKey, refused } from '../session/session.js';
import { codeOf, type Problem, Refusal, Unreachable, wordsFor } from './problems.js';

/** What a page is to know in place of the file, such as no field that is hidden from whoever is signed in. */
export const AboutShown = createContext<About | undefined>(undefined);

/** What the pages know without a key. It does not change while the gateway runs. */
export function useAbout(): About {
  const { data } = useSuspenseQuery({
    queryKey: ['about'],
    queryFn: () => readFile<About>('pages/about.json'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useContext(AboutShown) ?? data;
}

/** All that was read with a key. */
export const readWithKey: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'about' };

/** The types by area, in the order of the catalogue. */
export function areasOf({ types }: About): { name: string; types: TypeAbout[] }[] {
  const areas = new Map<string, TypeAbout[]>();
  for (const type of types) areas.set(type.area, [...(areas.get(type.area) ?? []), type]);
  return [...areas].map(([name, types]) => ({ name, types }));
}

/** `subcontracting` → `Subcontracting`. */
export const areaTitle = (area: string): string =>
  area === 'crm' ? 'CRM' : area.slice(0, 1).toUpperCase() + area.slice(1);

/**
 * Asks the gateway. Only what happens on the way is `Unreachable`: a request that cannot be made at all, such as one
 * with a header that has letters no header takes, is thrown unchanged.
 */
export const reach = async (address: string | URL, init?: RequestInit): Promise<Response> =>
  onTheWay(fetch(new Request(address, init)));

/** The JSON of an answer. Something between the browser and the gateway may have answered instead, without any. */
export async function jsonOf<Body>(response: Response): Promise<Body> {
  const text = await onTheWay(response.text());
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The gateway, or what is before it, answered ${response.status} and no JSON.`);
  }
}

/** A JSON file that the gateway serves to everybody. */
export async function readFile<Body>(path: string): Promise<Body> {
  const response = await reach(addressOf(path));
  if (!response.ok) throw new Error(`${path} could not be loaded: the gateway answered ${response.status}.`);
  return jsonOf(response);
}

async function onTheWay<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    // A request that nobody waits for any more was ended here.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(error);
  }
}

export interface Operation {
  query: string;
  variables?: object | undefined;
}

export interface Answer<Data> {
  data?: Data | null;
  errors?: Problem[];
}

export const endpoint = addressOf('graphql');

/**
 * Asks the public API with the key of the signed-in user. `Data` is the shape that the operation selects.
 *
 * @throws `Refusal` where there is no data at all, and `Unreachable` where there is no answer
 */
export async function ask<Data>(
  { query, variables = {} }: Operation,
  signal: AbortSignal | null = null,
  given?: string,
): Promise<Answer<Data>> {
  const key = given ?? (await freshKey()) ?? '';
  const response = await post(JSON.stringify({ query, variables }), bearing(key), signal);
  return answerOf(response, await jsonOf(response), key);
}

/** Sends the text of an operation to the endpoint of GraphQL. */
export const post = (body: string, headers: Record<string, string>, signal: AbortSignal | null = null) =>
  reach(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body,
    signal,
  });

/** The headers that carry a key. */
export const bearing = (key: string) => ({ Authorization: `Bearer ${key}` });

function answerOf<Data>(response: Response, answer: Answer<Data>, key: string): Answer<Data> {
  if (response.status === 401) refused(key, answer.errors?.[0]?.message);
  if (!answer.data) throw new Refusal(answer.errors ?? [{ message: `The gateway answered ${response.status}.` }]);
  return answer;
}

/** Like `ask`, where a part that was refused makes the whole useless. */
export const askAll = async <Data>(operation: Operation, signal?: AbortSignal): Promise<Data> =>
  wholeOf(await ask<Data>(operation, signal));

/** The `Idempotency-Key` of each write that was sent and not answered, by its body. */
const unanswered = new Map<string, string>();

/** Milliseconds before a write whose answer was lost is sent again. */
const pauses = [300, 1500];

/**
 * Like `askAll`, for a write. If its answer is lost it is sent again, and happens only if it has not happened yet; the same
 * holds for whoever presses the button again.
 */
export async function askOnce<Data>({ query, variables }: Operation): Promise<Data> {
  const key = (await freshKey()) ?? '';
  const body = JSON.stringify({ query, variables });
  const once = unanswered.get(body) ?? newKey();
  unanswered.set(body, once);
  const attempt = () => post(body, { ...bearing(key), 'Idempotency-Key': once });
  const response = await attempt()
    .catch(() => later(pauses[0]).then(attempt))
    .catch(() => later(pauses[1]).then(attempt))
    .catch((error) => {
      throw new Unreachable(error, 'It may have been done all the same: the same again happens once.');
    });
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

/** What has become of an attempt: it is under way with what it was given, has found something, or has failed. */
interface Attempt<Given, Found> {
  pending?: Given;
  found?: Found;
  error?: unknown;
  /** What went wrong, as a sentence. */
  problem?: string;
}

/**
 * Work that somebody starts, and what has become of it. Only the last that was started is shown, and none after `reset`. Unlike
 * `useMutation` it also learns what becomes of its work while the page is out of sight, as when it asks for another key. Where
 * somebody else has changed the record in the meantime, `onConflict` goes on.
 */
export function useAttempt<Given, Found>(work: (given: Given) => Promise<Found>, onConflict?: () => Promise<Found>) {
  const [shown, show] = useState<Attempt<Given, Found>>();
  const start = async (given: Given): Promise<void> => {
    const begun: Attempt<Given, Found> = { pending: given };
    const end = (outcome: Attempt<Given, Found>) => show((now) => (now === begun ? outcome : now));
    show(begun);
    const goOn = (error: unknown) => {
      if (onConflict && codeOf(error) === 'VERSION_CONFLICT') return onConflict();
      throw error;
    };
    await work(given)
      .catch(goOn)
      .then(
        (found) => end({ found }),
        (error: unknown) => end({ error, problem: wordsFor(error) }),
      );
  };
  return { ...shown, start, reset: () => show(undefined) };
}
