/** Tells the operator of a clock that was or is wrong: nothing fails, but times of records and the order of ids depend on it. */
import type { Logger } from 'pino';
import { type Ids, mostDrift } from '../../model/ids.js';

const lookEvery = 60_000;

/** Looks at once, and then every minute. */
export function watchClock(ids: Pick<Ids, 'ahead'>, log: Pick<Logger, 'info' | 'warn'>): void {
  let wasAhead = false;
  // How far the clock is from the time that nobody can set.
  let before = Date.now() - performance.now();
  const look = () => {
    const steppedSeconds = Math.round((Date.now() - performance.now() - before) / 1000);
    before += steppedSeconds * 1000;
    if (Math.abs(steppedSeconds) * 1000 > mostDrift) log.warn({ steppedSeconds }, stepped);
    const aheadSeconds = Math.round(ids.ahead() / 1000);
    const isAhead = aheadSeconds * 1000 > mostDrift;
    if (isAhead && !wasAhead) log.warn({ aheadSeconds }, ahead);
    if (!isAhead && wasAhead) log.info('The clock has passed the newest id');
    wasAhead = isAhead;
  };
  look();
  setInterval(look, lookEvery).unref();
}

const stepped =
  'The clock was set, or this machine was suspended: docs/operations.md ("A wrong clock") says what depends on it';
const ahead =
  'The newest id is ahead of the clock: the clock was ahead before, or is behind now. If it is right now, new records have right ' +
  'times; docs/operations.md ("A wrong clock") says what to do about the others';
