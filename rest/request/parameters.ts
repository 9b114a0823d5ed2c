/**
 * The parameters of requests, as data. Each is defined once, for the checks and the translation of requests and for the
 * OpenAPI description.
 */

import { largestInt32 } from '../../src/model/field.js';
import { defaultPageSize, largestPageSize, longestId } from '../../src/model/limits.js';
import { type Resource, singletonId } from '../../src/model/resource.js';
import type { Schema } from '../schema.js';

/**
 * A record's version as an HTTP validator: `ETag: "7"` on every single record, `If-Match` to prevent lost updates,
 * `If-None-Match` to skip unchanged records (RFC 9110, 13.1).
 */
export const etagOf = (version: number): string => `"${version}"`;

/**
 * The version that a write expects, from an `If-Match`. Undefined for `*`. A weak or unknown tag matches
 * nothing, so it becomes a version that no record has. Of several tags it is the first, with which `anyVersion` begins.
 */
function readVersion(tags: string): number | undefined {
  const [first = ''] = tags.split(',', 1);
  const tag = first.trim();
  if (tag === '*') return undefined;
  return Number(/^"([1-9]\d{0,8})"$/.exec(tag)?.[1] ?? noVersion);
}

/** Versions begin at 1. */
const noVersion = 0;

/** A parameter of a request: in its path, its query or its headers. */
export interface Parameter {
  /** The name in the request. */
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  /** False for a list whose items are separated by commas. */
  explode?: false;
  /** Markdown. */
  description: string;
  /** The value, as JSON Schema. */
  schema: Schema;
  /** Tools that try calls send it, so headers have none: it would act. */
  example?: string | number | readonly string[];
  /** The variable of the GraphQL operation that gets the value; undefined for one that HTTP itself gives a meaning. */
  variable?: string;
  /**
   * Parses the text in the request. A `problem` is the end of a sentence that begins with the name of the parameter.
   */
  read?(text: string): { value: unknown } | { problem: string };
}

/** A query parameter that is a whole number from `minimum` to `maximum`, and `unless` where it is left out. */
export function wholeNumber(
  name: string,
  minimum: number,
  maximum: number,
  unless: number,
  description: string,
): Parameter {
  return {
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'integer', format: 'int32', minimum, maximum, default: unless },
    variable: name,
    read(text) {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= minimum && value <= maximum) return { value };
      return { problem: `must be a whole number from ${minimum} to ${maximum}` };
    },
  };
}

/** The `id` in the path. */
export function recordId(resource: Resource): Parameter {
  const isOnly = resource.kind === 'singleton';
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: isOnly ? `The id of the only record: \`${idLike(resource)}\`.` : `The id of the ${resource.title}.`,
    schema: { type: 'string' },
    example: idLike(resource),
    variable: 'id',
  };
}

/** The page of a list. */
export const limit = wholeNumber('limit', 1, largestPageSize, defaultPageSize, 'The most records to answer with.');
export const offset = wholeNumber('offset', 0, largestInt32, 0, 'The number of records to skip.');

/** Each version and each change holds a list of values, so a larger page would cost too much. */
export const largestHistoryPage = 500;

/** The page of a history. */
export const mostVersions = wholeNumber(
  'limit',
  1,
  largestHistoryPage,
  defaultPageSize,
  'The most versions to answer with.',
);
export const afterVersion: Parameter = {
  name: 'after',
  in: 'query',
  required: false,
  description: 'Only versions that are older than those of the page that had this as its `next`.',
  schema: { type: 'string' },
  example: '12',
  variable: 'after',
};

/** The instant as of which a record is read. */
export const asOf: Parameter = {
  name: 'as_of',
  in: 'query',
  required: false,
  description:
    'The record with its lines as it was at this instant, from the journal: a date, or a date and time with its zone, such as `2026-01-31T09:30:00.000Z`; empty, it is left out. The answer then also has each list of lines. 404 if there was no such record then, and 410 `history_incomplete` if the journal does not have every change since then.',
  schema: { type: 'string', examples: ['2026-01-31T09:30:00.000Z'] },
  // Postman's collection and forms of other tools send the example, and no instant suits all records.
  example: '',
  variable: 'asOf',
  read: (text) => ({ value: text || undefined }),
};

/** The parent whose lines are listed. */
export const parentOfList = (resource: Resource): Parameter => ({
  ...parent(resource),
  required: true,
  read: (text) => ({ value: text || undefined }),
});

/** The parent whose lines are reordered, for clients that do not send it in the body. */
export const parentOfOrder = (resource: Resource): Parameter => {
  const parameter = parent(resource);
  return { ...parameter, description: `${parameter.description} It may be in the body instead.` };
};

export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version you have read, such as `"3"`, or several of them. If the record has changed since, nothing happens and the answer is 412. Without it, or with `*`, any version is changed.',
  // Tools send defaults, and placeholders where there is none. This one asks for nothing.
  schema: { type: 'string', default: '*' },
  variable: 'expectedVersion',
  read: (text) => ({ value: readVersion(text) }),
};

export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the version you have, such as `"3"`. If it is still the present one, the answer is 304.',
  schema: { type: 'string' },
};

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name for this request that no other request has, such as the UUID `0f8fad5b-d9cb-469f-a165-70867728950e`. However often it is sent, it happens once, and for a day a repetition gets the first answer again.',
  // One pattern, of which tools that invent values make one for each request.
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

/** An example id: that of the only record of a singleton, otherwise one that no record has. */
export const idLike = (resource: Resource): string =>
  resource.kind === 'singleton' ? singletonId(resource) : `${resource.slug}_01kahzqe0v3m7c2f9x5w8yt4bd`;

function parent({ scope, parents }: Resource): Parameter {
  const first = parents[0]?.resource;
  return {
    name: 'parent_id',
    in: 'query',
    required: false,
    description: `The id of the ${scope === 'parentId' || !first ? 'record to which the lines belong' : first.title}.`,
    schema: { type: 'string', maxLength: longestId },
    example: first ? idLike(first) : 'ACC-SINV-2026-00042',
    variable: 'parentId',
  };
}
