/**
 * The ways in to /graphql: the forms that the same request can have. A new way is one entry here, and every guard is
 * tested there.
 */
import type { Row } from './covering.js';
import { deedNamed } from './deeds/index.js';

export const ways = {
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

type Ways = typeof ways;
/** One way: a value of each column. */
export type Way = { readonly [Column in keyof Ways]: Ways[Column][number] };

const isGet = ({ transport }: Row) => transport === 'GET' || transport === 'HEAD';
const byHash: readonly (string | undefined)[] = ['sent with its hash', 'by its hash', 'trusted hash', 'trusted name'];

/** The combinations that the guard of methods tests instead. */
export const mutationByGet = 'a mutation by GET is refused, which is a guard of its own';

/** Combinations that are impossible, and why. */
const contradictions: { because: string; holds(row: Row): boolean }[] = [
  {
    because: 'a GET has no body',
    holds: (row) => isGet(row) && row.contentType !== undefined && row.contentType !== 'none',
  },
  {
    because: 'a body without a type is refused, which is a guard of its own',
    holds: (row) => row.transport !== undefined && !isGet(row) && row.contentType === 'none',
  },
  {
    because: 'a query string has no null',
    holds: (row) => isGet(row) && (row.operationName === 'null' || row.extensions === 'null'),
  },
  {
    because: 'there is no name to give',
    holds: (row) => row.document === 'anonymous' && row.operationName === 'right',
  },
  {
    because: 'of several operations one must be named; the others are refused, which is a guard of its own',
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
    holds: ({ text, arguments: given, deed }) =>
      text === 'by its hash' &&
      (given === 'literals' || given === 'defaults') &&
      (deed === undefined ? false : deedNamed(deed).kind === 'mutation'),
  },
  {
    because: mutationByGet,
    holds: (row) => isGet(row) && row.deed !== undefined && deedNamed(row.deed).kind === 'mutation',
  },
  {
    because: 'nothing in it is left to the resolvers alone',
    holds: ({ form, deed }) => form === 'resolved' && deed !== undefined && deedNamed(deed).resolved === undefined,
  },
];

/** Why the values cannot be combined in one request, ignoring the reason `lifted`; undefined if they can. */
export const contradiction = (row: Row, lifted?: string): string | undefined =>
  contradictions.find(({ because, holds }) => because !== lifted && holds(row))?.because;
