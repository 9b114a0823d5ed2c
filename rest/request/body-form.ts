/** What the body of a request may hold, as data. Request bodies are checked and translated by it. */
import { isDocumentStatus, statuses } from '../../src/model/lifecycle.js';
import { snakeOf } from '../../src/model/names.js';
import type { Resource } from '../../src/model/resource.js';

export interface BodyForm {
  /** The variable that gets the members as its own; undefined where each member is a variable of its own. */
  variable: 'input' | undefined;
  /** Whether the body may be left out. */
  required: boolean;
  /** By their names in REST. */
  members: ReadonlyMap<string, BodyMember>;
  /** The members whose absence is checked here, by their names in REST. */
  expected: ReadonlyMap<string, ExpectedMember>;
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

/** A required member with its own message for its absence, instead of the one GraphQL would give. */
interface ExpectedMember extends BodyMember {
  /** The message where neither the body nor a parameter holds it. */
  missing: string;
}

/** In every record, but not writable: ignored, so that a record can be sent back as it was read. */
const readOnly: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

export const createBody = (resource: Resource): BodyForm => ({
  variable: 'input',
  required: resource.fields.some(({ required, name }) => required && name !== 'idx'),
  members: membersOf(resource, 'create'),
  expected: new Map(),
  lines: new Map(
    resource.lines.map(({ field, resource: { base } }) => [
      snakeOf(field),
      `is a list of lines, which are not part of this body; send each by POST ${base} with its \`parent_id\``,
    ]),
  ),
  ignored: readOnly,
});

export const updateBody = (resource: Resource): BodyForm => ({
  ...createBody(resource),
  required: false,
  members: membersOf(resource, 'update'),
});

const parentOfLines = {
  name: 'parentId',
  missing: 'is required; send {"parent_id": "…", "ids": [every line once, in the new order]}',
};

export const orderBody: BodyForm = {
  variable: undefined,
  required: false,
  members: new Map<string, BodyMember>([
    ['parent_id', parentOfLines],
    ['ids', { name: 'ids', isList: true }],
  ]),
  expected: new Map([['parent_id', parentOfLines]]),
  ignored: new Set(),
};

const known = { create: new WeakMap<Resource, Members>(), update: new WeakMap<Resource, Members>() };
type Members = BodyForm['members'];

function membersOf(resource: Resource, purpose: keyof typeof known): Members {
  const members =
    known[purpose].get(resource) ??
    new Map(resource.fields.map(({ name, restName }) => [restName, memberOf(resource, name, purpose)]));
  known[purpose].set(resource, members);
  return members;
}

/** A new document begins in the first state. */
function memberOf(resource: Resource, name: string, purpose: keyof typeof known): BodyMember {
  if (!isDocumentStatus(resource, name)) return { name };
  if (purpose === 'update') return { name, words: statuses };
  const instead = `; create it as a draft, then POST ${resource.base}/{id}/submit, and /cancel to cancel it`;
  return { name, words: statuses.slice(0, 1), instead };
}

/**
 * Extracts the REST body from the JSON text of an operation's only field. The aliases in `operations.ts` fix how the text
 * begins and ends, so it need not be parsed; only lines are, to count them.
 */
interface TextBody {
  body: string;
  /** Only a single record has one. */
  version: number | undefined;
}

/** The body; null if the record does not exist. */
export function textBody(field: string): TextBody | null {
  if (field === 'null') return null;
  for (const start of payloadStarts) if (field.startsWith(start)) return textBody(field.slice(start.length, -1));
  if (field.startsWith(versionStart)) {
    const end = field.indexOf(',');
    return { body: `{${field.slice(end + 1)}`, version: Number(field.slice(versionStart.length, end)) };
  }
  if (field.startsWith('[')) {
    const lines: unknown[] = JSON.parse(field);
    return { body: `{"data":${field},"has_more":false,"total":${lines.length}}`, version: undefined };
  }
  // The page's envelope follows its records, so its last occurrence is the right one.
  const frame = field.lastIndexOf(moreStart);
  if (frame < 0) return { body: field, version: undefined };
  const [hasMore, total] = field.slice(frame + moreStart.length).split('}');
  return { body: `${field.slice(0, frame)},"has_more":${hasMore}${total}}`, version: undefined };
}

/** The record's id in the body. */
export const idIn = (body: string): string | undefined => /^\{"id":"([^"]*)"/.exec(body)?.[1];

/** A mutation answers its record or its lines inside of a payload. */
const payloadStarts = ['{"record":', '{"records":'];
const versionStart = '{"_version":';
const moreStart = ',"pageInfo":{"has_more":';
