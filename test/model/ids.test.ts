import { describe, expect, test } from 'vitest';
import { createIds, mostDrift } from '../../src/model/ids.js';

const noon = Date.parse('2026-01-31T12:00:00.000Z');
const day = 24 * 60 * 60 * 1000;
/** The ten characters that ids of `noon` have in common, and the highest sixteen that can follow. */
const timeOfNoon = '01kg9ys7g0';
const highest = 'z'.repeat(16);

describe('an id', () => {
  test('is the slug, an underscore and 26 characters of lower-case Crockford base32', () => {
    expect(createIds().next('u-o-m-category').id).toMatch(/^u-o-m-category_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  test('carries the instant it was made in, which is the createdAt that comes with it', () => {
    const { id, createdAt } = createIds(() => noon).next('timesheet');
    expect(id.slice(0, 'timesheet_'.length + 10)).toBe(`timesheet_${timeOfNoon}`);
    expect(createdAt).toEqual(new Date(noon));
  });

  test('cannot be told from an earlier one of the same millisecond made by another process', () => {
    const [one, other] = [createIds(() => noon), createIds(() => noon)];
    expect(one.next('timesheet').id).not.toBe(other.next('timesheet').id);
  });
});

describe('ids rise', () => {
  test('within a millisecond', () => {
    const ids = createIds(() => noon);
    expectRising(make(ids, 10_000));
  });

  test('from one millisecond to the next', () => {
    let clock = noon;
    const ids = createIds(() => clock++);
    expectRising(make(ids, 10_000));
  });

  test('when the clock steps back a little, and then the times wait for it', () => {
    let clock = noon;
    const ids = createIds(() => clock);
    const before = make(ids, 3);
    clock -= mostDrift;
    const after = make(ids, 3);
    expectRising([...before, ...after]);
    expect(ids.next('timesheet').createdAt).toEqual(new Date(noon));
    expect(ids.now()).toEqual(new Date(noon));
  });

  test('when the clock was a day ahead, and then the times are those of the clock again', () => {
    let clock = noon + day;
    const ids = createIds(() => clock);
    const before = make(ids, 3);
    clock = noon;
    const made = [1, 2, 3].map((later) => {
      clock = noon + later;
      return ids.next('timesheet');
    });
    expectRising([...before, ...made.map(({ id }) => id)]);
    expect(made.map(({ createdAt }) => createdAt.getTime() - noon)).toEqual([1, 2, 3]);
    expect(ids.now()).toEqual(new Date(clock));
    expect(ids.ahead()).toBe(day - 3);
    clock = noon + 2 * day;
    expect(ids.ahead()).toBe(0);
  });

  test('when the random part is used up: then the next millisecond begins', () => {
    const ids = createIds(() => noon);
    const last = `timesheet_${timeOfNoon}${highest}`;
    ids.startAfter(last);
    const { id, createdAt } = ids.next('timesheet');
    expectRising([last, id]);
    expect(createdAt).toEqual(new Date(noon + 1));
  });

  test('over a carry through all lower digits', () => {
    const ids = createIds(() => noon);
    ids.startAfter(`timesheet_${timeOfNoon}0${'z'.repeat(15)}`);
    expect(ids.next('timesheet').id).toBe(`timesheet_${timeOfNoon}1${'0'.repeat(15)}`);
  });

  test('one time after another whatever the types of the records', () => {
    const ids = createIds(() => noon);
    const suffixes = ['timesheet', 'asset-repair', 'job-card'].map((slug) => ids.next(slug).id.slice(-26));
    expectRising(suffixes);
  });
});

describe('after startAfter, ids rise', () => {
  test('behind a stored id of the future', () => {
    const stored = createIds(() => noon + day).next('timesheet').id;
    const ids = createIds(() => noon);
    ids.startAfter(stored);
    expectRising([stored, ...make(ids, 3)]);
    expect(ids.next('timesheet').createdAt).toEqual(new Date(noon));
  });

  test('by the clock again once it has passed the stored id', () => {
    const ids = createIds(() => noon + day);
    ids.startAfter(createIds(() => noon).next('timesheet').id);
    expect(ids.next('timesheet').createdAt).toEqual(new Date(noon + day));
  });

  test('behind the newest of several, in whatever order they are given', () => {
    const source = createIds(() => noon);
    const [older = '', newer = ''] = make(source, 2);
    const ids = createIds(() => noon - day);
    ids.startAfter(newer);
    ids.startAfter(older);
    expectRising([older, newer, ...make(ids, 3)]);
  });

  test('behind their own, where the stored id is older than those made meanwhile', () => {
    const ids = createIds(() => noon);
    const made = make(ids, 3);
    ids.startAfter(`timesheet_${timeOfNoon}${'0'.repeat(16)}`);
    expectRising([...made, ...make(ids, 3)]);
  });

  test.each(['', 'subscription-settings_default', 'timesheet_01', `timesheet_${'u'.repeat(26)}`, 'x'.repeat(200)])(
    'as before where the stored id is %j, which is not of our form',
    (id) => {
      const ids = createIds(() => noon);
      ids.startAfter(id);
      expect(ids.next('timesheet').id).toMatch(new RegExp(`^timesheet_${timeOfNoon}[0-9a-hjkmnp-tv-z]{16}$`));
    },
  );
});

describe('the present', () => {
  test('is that of the clock', () => {
    expect(createIds(() => noon).now()).toEqual(new Date(noon));
  });
});

function make(ids: ReturnType<typeof createIds>, count: number): string[] {
  return Array.from({ length: count }, () => ids.next('timesheet').id);
}

/** Strictly, as text: that is how the databases sort them. */
function expectRising(ids: string[]): void {
  for (const [index, id] of ids.slice(1).entries()) {
    if (id <= (ids[index] ?? '')) expect.fail(`${id} does not sort behind ${ids[index]}`);
  }
}
