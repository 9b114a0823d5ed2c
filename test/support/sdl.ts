/**
 * The committed SDL, `docs/schema.graphql`, with which changes of the schema are compared. Only `npm run sdl` rewrites
 * it, and refuses breaking changes without `--breaking`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges } from 'graphql';
import { printSdl } from '../../src/graphql/print-sdl.js';

const file = new URL('../../docs/schema.graphql', import.meta.url);

export const committedSdl = (): string => readFileSync(file, 'utf8');

export const writeSdl = (sdl: string): void => writeFileSync(file, sdl);

export const sdlOf = printSdl;

/** What a client of `before` could no longer do with `after`, one sentence each. */
export function breakingChanges(before: string, after: string): string[] {
  return findBreakingChanges(buildSchema(before), buildSchema(after)).map(({ description }) => description);
}

/** The lines that are in only one of the two, `-` before and `+` after; the first `limit` of them. */
export function differences(before: string, after: string, limit = 20): string {
  const [was, is] = [lineCounts(before), lineCounts(after)];
  const lines = [...only(was, is, '-'), ...only(is, was, '+')];
  const rest = lines.length > limit ? [`… and ${lines.length - limit} more`] : [];
  return [...lines.slice(0, limit), ...rest].join('\n');
}

/** @throws with each breaking change of `before`, unless `breaking` says that they are meant. */
export function acceptedSdl(before: string, after: string, { breaking }: { breaking: boolean }): string {
  const broken = breaking ? [] : breakingChanges(before, after);
  if (broken.length === 0) return after;
  throw new Error(['This would break clients:', ...broken, 'If that is meant: npm run sdl -- --breaking'].join('\n'));
}

function lineCounts(sdl: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of sdl.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function only(these: Map<string, number>, others: Map<string, number>, sign: string): string[] {
  return [...these].filter(([line, count]) => count > (others.get(line) ?? 0)).map(([line]) => `${sign} ${line}`);
}
