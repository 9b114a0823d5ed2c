import { expect, onTestFinished, test, vi } from 'vitest';
import { Progress, spokenDuration } from '../../../src/features/transfer/reports.js';

function progress(isTerminal: boolean, isQuiet = false, isGuess = false) {
  const told: string[] = [];
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const began = performance.now();
  const clock = {
    set now(millis: number) {
      vi.advanceTimersByTime(began + millis - performance.now());
    },
  };
  const options = { verb: 'exported', total: 100_000, isTerminal, isQuiet, isGuess };
  return {
    told,
    clock,
    shown: new Progress({ ...options, printError: (text) => told.push(text) }),
  };
}

test('a terminal shows one line, written anew with the rate and the time left', () => {
  const { told, clock, shown } = progress(true);
  shown.report(10);
  clock.now = 1000;
  shown.report(25_000);
  clock.now = 1100;
  shown.report(26_000);
  shown.end();
  shown.end();
  expect(told).toEqual(['\rexported 25,000 of 100,000 (25 %), 25,000/s, 3 s left\u001b[K', '\n']);
});

test('elsewhere there is a line every few seconds, and the work of an earlier run does not count for the speed', () => {
  const { told, clock, shown } = progress(false);
  clock.now = 4000;
  shown.report(1000);
  clock.now = 10_000;
  shown.report(60_000, 50_000);
  clock.now = 20_000;
  shown.report(200_000);
  shown.end();
  expect(told).toEqual(['exported 60,000 of 100,000 (60 %), 1,000/s, 40 s left\n', 'exported 200,000, 10,000/s\n']);
});

test('a total that is a guess says so', () => {
  const { told, clock, shown } = progress(false, false, true);
  clock.now = 10_000;
  shown.report(50_000);
  expect(told).toEqual(['exported 50,000 of about 100,000 (50 %), 5,000/s, 10 s left\n']);
});

test('quiet it says nothing', () => {
  const { told, clock, shown } = progress(true, true);
  clock.now = 10_000;
  shown.report(5);
  shown.end();
  expect(told).toEqual([]);
});

test('times are shown as people say them', () => {
  expect([0, 45.2, 89, 100, 3600, 9000].map(spokenDuration)).toEqual([
    '0 s',
    '46 s',
    '89 s',
    '2 min',
    '60 min',
    '2 h 30 min',
  ]);
});
