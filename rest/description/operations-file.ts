import { changesText } from '../changes.js';
import { eventsText } from '../events.js';
import { changesName, eventsName } from '../operation-names.js';
import type { RestOperation } from '../operations.js';

/** The texts of the operations that no record type has, by their names. */
export const furtherTexts: ReadonlyMap<string, () => string> = new Map([
  [changesName, changesText],
  [eventsName, eventsText],
]);

/**
 * The GraphQL operations of all endpoints by their names, in the form that TRUSTED_DOCUMENTS takes. Those that end in
 * `OnlyId` are for keys that may write but not read: their answers hold only the id. Those that end in `AsOf` show a
 * record as it was.
 */
export function operationsFile(operations: readonly RestOperation[]): Record<string, string> {
  const ofRecords = operations.flatMap(({ name, method, text, pastText, blindText }) => [
    [name, text],
    ...(pastText === undefined ? [] : [[`${name}AsOf`, pastText]]),
    ...(method === 'GET' ? [] : [[`${name}OnlyId`, blindText]]),
  ]);
  return Object.fromEntries([...ofRecords, ...Array.from(furtherTexts, ([name, text]) => [name, text()])]);
}
