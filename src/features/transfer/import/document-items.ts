/** The items of an import from lines of JSON. */

import { readJson } from '../../../common/read-json.js';
import { checkedItem, refusedItem } from './checked-item.js';
import type { DocumentCheck } from './document-check.js';
import type { ImportItem } from './import-item.js';
import type { InputLine } from './input-lines.js';

/** With `updates`, a document with an id may leave out required fields, if it exists already. */
export async function* documentItems(
  lines: AsyncIterable<InputLine>,
  check: DocumentCheck,
  { updates }: { updates: boolean },
): AsyncGenerator<ImportItem> {
  for await (const line of lines) yield itemOf(line, check, updates);
}

const hasOtherEnds =
  'holds several documents, with a carriage return between them; save the file with line feeds, for example by `tr "\\r" "\\n"`';

function itemOf({ number, text = '', problem }: InputLine, check: DocumentCheck, updates: boolean): ImportItem {
  const place = { line: number, text };
  if (problem !== undefined) return refusedItem(place, problem);
  try {
    return checkedItem(place, readJson(text), check, updates);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The number of the line in the file is named already.
    if (/\r(?=.*\S)/s.test(text)) return refusedItem(place, hasOtherEnds);
    return refusedItem(place, `is ${error.message.replace('line 1, ', '')}`);
  }
}
