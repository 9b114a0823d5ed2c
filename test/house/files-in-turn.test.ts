import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesLeftOut, rowsInTurn } from '../support/files-in-turn.js';
import { allCases } from '../support/thorough.js';

test('a file that takes turns stands in one row, and one of each row has its turn', () => {
  const all = rowsInTurn.flat();
  expect(new Set(all).size).toBe(all.length);
  expect(filesLeftOut).toHaveLength(allCases ? 0 : all.length - rowsInTurn.length);
});

test('what takes turns within such a file has its turn on some day on which the file has', () => {
  const within = (file: string): number[] => {
    const text = readFileSync(file, 'utf8');
    const named = [...text.matchAll(/hasTurn(?:OrName)?\([^()]*, (\d+)\)/g)].map(([, among]) => Number(among));
    return /databaseInTurn|shareOf|onDatabaseInTurn/.test(text) ? [2, 4, ...named] : named;
  };
  const never = rowsInTurn.flatMap((files) =>
    files.filter((file) => within(file).some((among) => hasCommonFactor(among, files.length))),
  );
  expect(never).toEqual([]);
});

const hasCommonFactor = (one: number, other: number): boolean =>
  [2, 3].some((factor) => (one % factor) + (other % factor) === 0);
