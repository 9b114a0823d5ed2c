import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { daysOfFiles, filesInTurn, filesLeftOut, testFiles } from '../support/files-in-turn.js';
import { allCases } from '../support/thorough.js';

test('files that take turns are left to all but one of the days, and none where all is asked', () => {
  expect(testFiles.length).toBeGreaterThan(filesInTurn.length);
  expect(filesInTurn.length).toBeGreaterThan(daysOfFiles);
  const most = Math.ceil((filesInTurn.length * (daysOfFiles - 1)) / daysOfFiles);
  expect(filesLeftOut.length).toBeGreaterThanOrEqual(allCases ? 0 : most - 1);
  expect(filesLeftOut.length).toBeLessThanOrEqual(allCases ? 0 : most);
});

test('what takes turns within such a file has its turn on some day on which the file has', () => {
  const within = (file: string): number[] => {
    const text = readFileSync(file, 'utf8');
    const named = [...text.matchAll(/hasTurn(?:OrName)?\([^()]*, (\d+)\)/g)].map(([, among]) => Number(among));
    return /databaseInTurn|shareOf|onDatabaseInTurn/.test(text) ? [2, 4, ...named] : named;
  };
  expect(filesInTurn.filter((file) => within(file).some((among) => among % daysOfFiles === 0))).toEqual([]);
});
