/** What features do in a process from its start to its end. */
import type { RequestMeter } from '../../change/observation.js';
import { watchBoth } from '../../database/statement-log.js';
import type { Running, ServedFeature, Started, Starting, Starts, Watch } from '../feature.js';

/** Begins one after another, and returns what has begun. @throws what ends the start */
export async function startAll(starts: readonly Starts[], running: Running): Promise<Required<Started>> {
  const started: (Started | undefined)[] = [];
  for (const each of starts) started.push(await each.start?.(running));
  return joinStarted(started);
}

export function joinStarted(given: readonly (Started | undefined)[]): Required<Started> {
  const all = given.filter((each) => each !== undefined);
  return {
    announces: Object.fromEntries(all.flatMap(({ announces = {} }) => Object.entries(announces))),
    reports: Object.fromEntries(all.flatMap(({ reports = {} }) => Object.entries(reports))),
    stored: async () => (await Promise.all(all.map(async (each) => (await each.stored?.()) ?? []))).flat(),
    stop: async () => void (await Promise.all(all.map((each) => each.stop?.()))),
    end: async (closed) => void (await Promise.all(all.map((each) => each.end?.(closed)))),
  };
}

/** What features put around the work of a gateway. Called before the database opens. */
export async function watchesOf(features: readonly ServedFeature[], starting: Starting): Promise<Watch[]> {
  const watches = await Promise.all(features.map((feature) => feature.watch?.(starting)));
  return watches.filter((each) => each !== undefined);
}

/** All that watch statements, as one; undefined if there is none. */
export const statementsOf = (watches: readonly Watch[]): Watch['statements'] =>
  joined(
    watches.map(({ statements }) => statements),
    (one, other) => (provider) => watchBoth(one(provider), other(provider)),
  );

/** All that measure requests, as one, the first outermost; undefined if there is none. */
export const meterOf = (watches: readonly Watch[]): Watch['meter'] =>
  joined(
    watches.map(({ meter }) => meter),
    (one, other) => (request) => bothMeters(one(request), other(request)),
  );

const joined = <Hook>(hooks: readonly (Hook | undefined)[], both: (one: Hook, other: Hook) => Hook): Hook | undefined =>
  hooks.reduce((one, other) => (one && other ? both(one, other) : (one ?? other)), undefined);

const bothMeters = (one: RequestMeter, other: RequestMeter): RequestMeter => ({
  run: (work) => one.run(() => other.run(work)),
  end: (request) => {
    one.end(request);
    other.end(request);
  },
});
