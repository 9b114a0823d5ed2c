import { refusal } from './error-rows.js';

/** The operation, its work, its changes or its answer would be larger than the gateway allows. */
export const sizeErrors = {
  /** A GraphQL operation exceeds `limit`; `found` is its size if all of it was measured. */
  queryTooComplex: (measure: OperationMeasure, limit: number, found?: number) =>
    refusal(
      'query_too_complex',
      `The operation is too complex: it may have ${limit} ${measures[measure]} at most${found === undefined ? '' : `, and comes to ${found}`}. ${measure === 'cost' ? askForLess : split}`,
      { measure, limit, ...(found === undefined ? {} : { found }) },
    ),

  /** The answer would exceed `limit` bytes. Nothing was changed. */
  answerTooLarge: (limit: number) =>
    refusal(
      'answer_too_large',
      `The answer would be larger than ${limit} bytes, so nothing was done. Ask for fewer records, or for fewer of their fields.`,
      { limit },
    ),

  /** The changes of the request come to more than `limit` records and lines, or characters of their texts. */
  tooMuchWritten: (measure: 'rows' | 'characters', limit: number) =>
    refusal(
      'query_too_complex',
      `A request may ${measure === 'rows' ? `create, change, move or delete ${limit} records and lines` : `write texts of ${limit} characters in all`} at most. This change would exceed that, so nothing of it was made. Send several requests.`,
      { measure, limit },
    ),

  /** More than `limit` fields of the query failed. */
  tooManyErrors: (limit: number) =>
    refusal(
      'query_too_complex',
      `The answer would have more than ${limit} errors. Ask for fewer of the fields that fail; ask for one of them alone to learn why.`,
      { measure: 'errors', limit },
    ),

  /** More than `limit` fields of the answer to a change failed; the change was made. */
  furtherErrors: (limit: number) =>
    refusal(
      'query_too_complex',
      `More than ${limit} fields of the answer failed, and all others that were not there yet were left out. This changes nothing of what was done. Ask for fewer of the fields that fail.`,
      { measure: 'errors', limit },
    ),
};

/** The measures of a GraphQL operation. */
export type OperationMeasure = keyof typeof measures;

const measures = {
  lines: 'lines of text',
  tokens: 'tokens',
  name: 'characters in a name',
  brackets: 'brackets open at a time',
  pairs: 'pairs of fields of the same name',
  fragments: 'fragments',
  aliases: 'aliases',
  directives: 'directives',
  depth: 'fields within fields',
  root_fields: 'root fields',
  previews: 'times `previewAction`',
  characters: 'characters in its arguments, each variable counted as often as it is named,',
  cost: 'values to find and to answer',
};

const split = 'Send several smaller operations.';
const askForLess =
  'Ask for fewer records by `first` or `limit`, for fewer fields, with fewer conditions on lines, or in several operations.';
