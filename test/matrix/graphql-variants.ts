/**
 * The variants of a request to /graphql: each column is a part of it, with the forms that this part can have. Every guard
 * is also tested with a new value of a column.
 */
import type { Row } from './covering-array.js';
import { operationNamed } from './operations/index.js';

export const graphqlVariants = {
  transport: ['POST', 'POST past Express', 'POST in chunks', 'GET', 'HEAD'],
  /** The form that SQL answers, and the one that only the resolvers answer. */
  form: ['plain', 'fragment', 'directive', 'resolved'],
  arguments: ['variables', 'literals', 'defaults', 'parts'],
  document: ['one operation', 'anonymous', 'several operations'],
  operationName: ['absent', 'null', 'empty', 'right'],
  text: ['sent', 'sent with its hash', 'by its hash', 'trusted text', 'trusted hash', 'trusted name'],
  accept: ['nothing', 'anything', 'json', 'graphql-response', 'json or events'],
  contentType: ['none', 'plain', 'charset', 'upper case', 'quoted charset'],
  extensions: ['absent', 'null', 'empty', 'unknown'],
  idempotencyKey: ['absent', 'present'],
  scheme: ['Bearer', 'bearer', 'BEARER'],
  cost: ['not asked', 'asked'],
} as const;

type Forms = typeof graphqlVariants;
/** One variant: a value of each column. */
export type GraphqlVariant = { readonly [Column in keyof Forms]: Forms[Column][number] };

const isGet = ({ transport }: Row) => transport === 'GET' || transport === 'HEAD';
const byHash: readonly (string | undefined)[] = ['sent with its hash', 'by its hash', 'trusted hash', 'trusted name'];

/** The reason of the combinations that only the guard of methods tests. */
export const mutationByGet = 'a mutation by GET is refused, which another guard tests';

/** Combinations that are impossible, and why. */
const incompatibilities: { because: string; holds(row: Row): boolean }[] = [
  {
    because: 'a GET has no body',
    holds: (row) => isGet(row) && row.contentType !== undefined && row.contentType !== 'none',
  },
  {
    because: 'a body without a type is refused, which another guard tests',
    holds: (row) => row.transport !== undefined && !isGet(row) && row.contentType === 'none',
  },
  {
    because: 'a query string has no null',
    holds: (row) => isGet(row) && (row.operationName === 'null' || row.extensions === 'null'),
  },
  {
    because: 'the operation has no name',
    holds: (row) => row.document === 'anonymous' && row.operationName === 'right',
  },
  {
    because: 'of several operations one must be named; otherwise the request is refused, which another guard tests',
    holds: (row) =>
      row.document === 'several operations' && row.operationName !== undefined && row.operationName !== 'right',
  },
  {
    because: 'a hash is an extension',
    holds: (row) =>
      byHash.includes(row.text) &&
      row.extensions !== undefined &&
      row.extensions !== 'absent' &&
      row.extensions !== 'unknown',
  },
  {
    because: 'the same text would change the same record again',
    holds: ({ text, arguments: given, operation }) =>
      text === 'by its hash' &&
      (given === 'literals' || given === 'defaults') &&
      (operation === undefined ? false : operationNamed(operation).kind === 'mutation'),
  },
  {
    because: mutationByGet,
    holds: (row) => isGet(row) && row.operation !== undefined && operationNamed(row.operation).kind === 'mutation',
  },
  {
    because: 'SQL answers everything in it',
    holds: ({ form, operation }) =>
      form === 'resolved' && operation !== undefined && operationNamed(operation).resolved === undefined,
  },
];

/** Why the values cannot be combined in one request, without the reason `liftedReason`; undefined if they can. */
export const graphqlIncompatibility = (row: Row, liftedReason?: string): string | undefined =>
  incompatibilities.find(({ because, holds }) => because !== liftedReason && holds(row))?.because;
