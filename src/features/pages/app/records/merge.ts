import type { Draft, Texts } from './draft.js';

type Line = Draft['lines'][string][number];

/**
 * What somebody has typed, on top of what others have saved since: of the fields and lines that both have changed, it takes
 * those of the form; all that only others have changed stays as it is now.
 */
export function merged(before: Draft, mine: Draft, now: Draft): Draft {
  const lists = Object.keys(now.lines).map(
    (list) => [list, mergedLines(before.lines[list] ?? [], mine.lines[list] ?? [], now.lines[list] ?? [])] as const,
  );
  return { fields: mergedFields(before.fields, mine.fields, now.fields), lines: Object.fromEntries(lists) };
}

const mergedFields = (before: Texts, mine: Texts, now: Texts): Texts => ({ ...now, ...changedIn(before, mine) });

const changedIn = (before: Texts, mine: Texts): Texts =>
  Object.fromEntries(Object.entries(mine).filter(([name, text]) => text !== (before[name] ?? '')));

function mergedLines(before: Line[], mine: Line[], now: Line[]): Line[] {
  const find = (lines: Line[], id: string | undefined) => lines.find((line) => id !== undefined && line.id === id);
  const kept = now.flatMap((line) => {
    const own = find(mine, line.id);
    const old = find(before, line.id);
    // A line that was there before was removed in the form; any other line was added by somebody else.
    if (!own) return old ? [] : [line];
    return [{ ...line, fields: mergedFields(old?.fields ?? {}, own.fields, line.fields) }];
  });
  const added = mine.filter(({ id }) => id === undefined);
  // Changed in the form, and taken away by others: it comes back as a new line, because what was typed is not lost.
  const revived = mine.filter((line) => {
    const old = find(before, line.id);
    return old && !find(now, line.id) && Object.keys(changedIn(old.fields, line.fields)).length > 0;
  });
  return [...kept, ...revived.map(({ place, fields }) => ({ place, fields })), ...added];
}
