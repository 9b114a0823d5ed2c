/** A part of a text, and what stands in its place. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** The text with the edits, which come in the order of their places and do not overlap. */
export function edited(text: string, edits: Iterable<TextEdit>): string {
  let written = '';
  let end = 0;
  for (const edit of edits) {
    written += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return written + text.slice(end);
}
