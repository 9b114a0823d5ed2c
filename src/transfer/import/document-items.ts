/** The items of an import from lines of JSON. */
import type { Problem } from '../../errors.js';
import type { DocumentCheck } from './document-check.js';
import { type ImportItem, repeatedIds } from './import-item.js';
import type { InputLine } from './input-lines.js';

/** With `updates`, a document with an id may leave out what is required, if it is there. */
export async function* documentItems(
  lines: AsyncIterable<InputLine>,
  check: DocumentCheck,
  { updates }: { updates: boolean },
): AsyncGenerator<ImportItem> {
  for await (const line of lines) yield itemOf(line, check, updates);
}

function itemOf({ number, text = '', problem }: InputLine, check: DocumentCheck, updates: boolean): ImportItem {
  const refused = (problems: readonly Problem[]) => ({ line: number, text, document: undefined, problems });
  if (problem !== undefined) return refused([{ path: [], code: 'parameter_invalid', message: problem }]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused([{ path: [], code: 'parameter_invalid', message: notJson(error) }]);
  }
  const found = check(value);
  if (!('resource' in found)) return refused(found.problems);
  const { resource, values } = found;
  const mayBeThere = resource.kind === 'singleton' || (updates && typeof values.id === 'string');
  const missing = mayBeThere ? found.problems.filter(({ code }) => code === 'parameter_missing') : [];
  const document = { resource, values, missing };
  const others = found.problems.filter((each) => !missing.includes(each));
  const problems = others.length > 0 ? others : repeatedIds(document);
  return problems.length > 0 ? refused(problems) : { line: number, text, document, problems };
}

/** The message of the parser repeats what it has read, which may hold a credential. */
function notJson(error: unknown): string {
  const [, place] = /at position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  return place === undefined ? 'is not JSON' : `is not JSON from character ${Number(place) + 1} on`;
}
