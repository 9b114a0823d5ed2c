/**
 * What a request may hold, as data: parameters and bodies. Each is defined once, for the checks and the translation of requests
 * and for the OpenAPI description.
 */
import { nearest } from '../src/common/nearest.js';
import type { Parameter } from '../src/gateway/api.js';
import { largestInt32 } from '../src/model/field.js';
import { isDocumentStatus, statuses } from '../src/model/lifecycle.js';
import { defaultPageSize, largestPageSize, longestId } from '../src/model/limits.js';
import { snakeOf } from '../src/model/names.js';
import { type Resource, singletonId } from '../src/model/resource.js';

/**
 * The version that a write expects, from an `If-Match`. Undefined for `*`. A weak or unknown tag matches
 * nothing, so it becomes a version that no record has. Of several tags it is the first: `Rest` in
 * `rest.ts` tries the others by requests that name one each.
 */
function readVersion(tags: string): number | undefined {
  const [first = ''] = tags.split(',', 1);
  const tag = first.trim();
  if (tag === '*') return undefined;
  return Number(/^"([1-9]\d{0,8})"$/.exec(tag)?.[1] ?? noVersion);
}

/** Versions begin at 1. */
const noVersion = 0;

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
    shared: `${resource.model}Id`,
    in: 'path',
    required: true,
    description: isOnly ? `The id of the only record: \`${idLike(resource)}\`.` : `The id of the ${resource.title}.`,
    schema: { type: 'string' },
    example: idLike(resource),
    variable: 'id',
  };
}

/** The page of a list. */
export const limit: Parameter = {
  ...wholeNumber('limit', 1, largestPageSize, defaultPageSize, 'The most records to answer with.'),
  shared: 'Limit',
};
export const offset: Parameter = {
  ...wholeNumber('offset', 0, largestInt32, 0, 'The number of records to skip.'),
  shared: 'Offset',
};

/** Each version and each change holds a list of values, so a larger page would cost too much. */
export const largestHistoryPage = 500;

/** The page of a history. */
export const mostVersions: Parameter = {
  ...wholeNumber('limit', 1, largestHistoryPage, defaultPageSize, 'The most versions to answer with.'),
  shared: 'HistoryLimit',
};
export const afterVersion: Parameter = {
  name: 'after',
  shared: 'HistoryAfter',
  in: 'query',
  description: 'Only versions that are older than those of the page that had this as its `next`.',
  schema: { type: 'string' },
  example: '12',
  variable: 'after',
};

/** The instant as of which a record is read. */
export const asOf: Parameter = {
  name: 'as_of',
  shared: 'AsOf',
  in: 'query',
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
  shared: 'IfMatch',
  in: 'header',
  description:
    'The `ETag` of the version you have read, such as `"3"`, or several of them. If the record has changed since, nothing happens and the answer is 412. Without it, or with `*`, any version is changed.',
  // Tools send defaults, and placeholders where there is none. This one asks for nothing.
  schema: { type: 'string', default: '*' },
  variable: 'expectedVersion',
  read: (text) => ({ value: readVersion(text) }),
};

export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  shared: 'IfNoneMatch',
  in: 'header',
  description: 'The `ETag` of the version you have, such as `"3"`. If it is still the present one, the answer is 304.',
  schema: { type: 'string' },
};

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  shared: 'IdempotencyKey',
  in: 'header',
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
    description: `The id of the ${scope === 'parentId' || !first ? 'record to which the lines belong' : first.title}.`,
    schema: { type: 'string', maxLength: longestId },
    example: first ? idLike(first) : 'ACC-SINV-2026-00042',
    variable: 'parentId',
  };
}

/** A parameter that lists some of these words. */
export const listParameter = (name: string, description: string, words: readonly string[]): Parameter => ({
  name,
  in: 'query',
  explode: false,
  description,
  schema: { type: 'array', items: { type: 'string', enum: words } },
  example: words.slice(0, 1),
});

/** A parameter that lists words, each of which stands for a value. */
export function wordsParameter(name: string, description: string, values: ReadonlyMap<string, string>): Parameter {
  return {
    ...listParameter(name, description, [...values.keys()]),
    variable: name,
    read(text) {
      const found: string[] = [];
      for (const each of text.split(',')) {
        const value = values.get(each);
        if (value === undefined) return { problem: unknownWord(each, [...values.keys()]) };
        found.push(value);
      }
      return { value: found };
    },
  };
}

/** What is wrong with a word that a list does not have, and which words it has. */
export function unknownWord(word: string, known: readonly string[]): string {
  const given = JSON.stringify(word.slice(0, 60));
  const meant = word.length <= 100 ? nearest(word, known) : undefined;
  if (meant) return `names ${given}, which is not known here; did you mean ${JSON.stringify(meant)}?`;
  const taken = known.length <= mostNamed ? `it takes ${known.join(', ')}` : '`/openapi.json` lists what it takes';
  return `names ${given}, which is not known here; ${taken}`;
}

/** So many words fit into a sentence. */
const mostNamed = 10;

/** What the body of a request may hold. */
export interface BodyForm {
  /** The variable that gets the members as its own; undefined where each member is a variable of its own. */
  variable: 'input' | undefined;
  /** Whether the body may be left out. */
  required: boolean;
  /** By their names in REST. */
  members: ReadonlyMap<string, BodyMember>;
  /** What neither the body nor a parameter may leave out, with its own message instead of the one GraphQL would give. */
  expected?: { name: string; restName: string; missing: string };
  /** Lists of lines, which have endpoints of their own, by their names in REST; each with what to do instead. */
  lines?: ReadonlyMap<string, string>;
  /** Names that are accepted and not read. */
  ignored: ReadonlySet<string>;
}

export interface BodyMember {
  /** The name in GraphQL. */
  name: string;
  /** Whether only a list is accepted: GraphQL would accept a single value as a list of one. */
  isList?: boolean;
  /** The only texts that are accepted, where GraphQL has names for them. */
  words?: readonly string[];
  /** What to do instead of sending another word, as the end of the sentence. */
  instead?: string;
}

/** In every record, but not writable: ignored, so that a record can be sent back as it was read. */
const readOnly: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

export const bodyFor = (resource: Resource, purpose: 'create' | 'update'): BodyForm => ({
  variable: 'input',
  required: purpose === 'create' && resource.fields.some(({ required, name }) => required && name !== 'idx'),
  members: new Map(resource.fields.map(({ name, restName }) => [restName, memberOf(resource, name, purpose)])),
  lines: new Map(
    resource.lines.map(({ field, resource: { base } }) => [
      snakeOf(field),
      `is a list of lines, which are not part of this body; send each by POST ${base} with its \`parent_id\``,
    ]),
  ),
  ignored: readOnly,
});

export const orderBody: BodyForm = {
  variable: undefined,
  required: false,
  members: new Map<string, BodyMember>([
    ['parent_id', { name: 'parentId' }],
    ['ids', { name: 'ids', isList: true }],
  ]),
  expected: {
    name: 'parentId',
    restName: 'parent_id',
    missing: 'is required; send {"parent_id": "…", "ids": [every line once, in the new order]}',
  },
  ignored: new Set(),
};

/** A new document begins in the first state. */
function memberOf(resource: Resource, name: string, purpose: 'create' | 'update'): BodyMember {
  if (!isDocumentStatus(resource, name)) return { name };
  if (purpose === 'update') return { name, words: statuses };
  const instead = `; create it as a draft, then POST ${resource.base}/{id}/submit, and /cancel to cancel it`;
  return { name, words: statuses.slice(0, 1), instead };
}
