import type { RestOperation } from '../operations.js';

/**
 * The GraphQL operations of all endpoints by their names, in the form that TRUSTED_DOCUMENTS takes. Those that end in
 * `OnlyId` are for keys that may write but not read: their answers hold only the id. Those that end in `AsOf` show a
 * record as it was.
 */
export function operationsFile(operations: readonly RestOperation[]): Record<string, string> {
  return Object.fromEntries(
    operations.flatMap(({ name, method, text, pastText, blindText }) => [
      [name, text],
      ...(pastText === undefined ? [] : [[`${name}AsOf`, pastText]]),
      ...(method === 'GET' ? [] : [[`${name}OnlyId`, blindText]]),
    ]),
  );
}
