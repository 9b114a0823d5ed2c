import { GatewayError } from './gateway-error.js';

/** The operation, its work, its changes or its answer would be larger than the gateway allows. */
export const sizeErrors = {
  /** A GraphQL operation exceeds `limit`; `found` is its size if all of it was measured. */
  queryTooComplex: (measure: OperationMeasure, limit: number, found?: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The operation is too complex: it may have ${limit} ${measures[measure]} at most${found === undefined ? '' : `, and comes to ${found}`}. ${measure === 'cost' ? askForLess : split}`,
      { reason: 'query_too_complex', measure, limit, ...(found === undefined ? {} : { found }) },
    ),

  /** The answer would exceed `limit` bytes. Nothing was changed. */
  answerTooLarge: (limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The answer would be larger than ${limit} bytes, so nothing was done. Ask for fewer records, or for fewer of their fields.`,
      { reason: 'answer_too_large', limit },
    ),

  /** A record as it was cannot be found, because more was changed since then than is undone for one answer. */
  tooManyChanges: (limit: number, bytes: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `More was changed since then than is undone for one answer: ${limit} changes of the record and its lines, or ${bytes} bytes of values. Ask for a later instant, or for fewer lists of lines.`,
      { reason: 'query_too_complex', measure: 'changes', limit },
    ),

  /** Conditions and orders of lines of the past take more comparisons than one request may make. */
  tooManyComparisons: (limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The conditions and orders of lines as they were take more than ${limit} comparisons. Ask with fewer of them, or of fewer records.`,
      { reason: 'query_too_complex', measure: 'comparisons', limit },
    ),

  /** The changes of the request come to more than `limit` records and lines, or characters of their texts. */
  tooMuchWritten: (measure: 'rows' | 'characters', limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `A request may ${measure === 'rows' ? `create, change, move or delete ${limit} records and lines` : `write texts of ${limit} characters in all`} at most. This change would exceed that, so nothing of it was made. Send several requests.`,
      { reason: 'query_too_complex', measure, limit },
    ),

  /** More than `limit` fields of the query failed. */
  tooManyErrors: (limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The answer would have more than ${limit} errors. Ask for fewer of the fields that fail; ask for one of them alone to learn why.`,
      { reason: 'query_too_complex', measure: 'errors', limit },
    ),

  /** More than `limit` fields of the answer to a change failed; the change was made. */
  furtherErrors: (limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `More than ${limit} fields of the answer failed, and all others that were not there yet were left out. This changes nothing of what was done. Ask for fewer of the fields that fail.`,
      { reason: 'query_too_complex', measure: 'errors', limit },
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
