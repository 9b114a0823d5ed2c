import type { IncomingMessage } from 'node:http';
import type { RequestMeter } from '../../change/observation.js';

type MakeMeter = (request: IncomingMessage) => RequestMeter;

/** All of them as one; undefined if there is none. */
export function metersOf(given: readonly (MakeMeter | undefined)[]): MakeMeter | undefined {
  const [first, ...others] = given.filter((each) => each !== undefined);
  if (!first || others.length === 0) return first;
  return others.reduce<MakeMeter>((before, next) => (request) => both(before(request), next(request)), first);
}

const both = (one: RequestMeter, other: RequestMeter): RequestMeter => ({
  run: (work) => one.run(() => other.run(work)),
  end: (request) => {
    one.end(request);
    other.end(request);
  },
});
