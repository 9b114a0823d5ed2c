import type { Draft, DraftLine } from './draft.js';
import type { FieldName, LineFieldName } from './fields.js';

/** Changes the draft at a place. */
export type OnEdit = (place: string, edit: Edit) => void;
export type Edit = (draft: Draft) => Draft;

export function setValue(name: FieldName, value: string): Edit {
  return (draft) => ({ ...draft, values: { ...draft.values, [name]: value } });
}

export function setLineValue(key: string, name: LineFieldName, value: string): Edit {
  return editLines((lines) =>
    lines.map((line) => (line.key === key ? { ...line, values: { ...line.values, [name]: value } } : line)),
  );
}

export function addLine(line: DraftLine): Edit {
  return editLines((lines) => [...lines, line]);
}

export function removeLine(key: string): Edit {
  return editLines((lines) => lines.filter((line) => line.key !== key));
}

/** Moves the line one place up. */
export function raiseLine(key: string): Edit {
  return editLines((lines) => {
    const place = lines.findIndex((line) => line.key === key);
    const above = lines[place - 1];
    const line = lines[place];
    return above && line ? lines.with(place - 1, line).with(place, above) : lines;
  });
}

function editLines(edit: (lines: DraftLine[]) => DraftLine[]): Edit {
  return (draft) => ({ ...draft, lines: edit(draft.lines) });
}
