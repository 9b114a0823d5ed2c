/** What the body of a request may hold, as data: bodies are checked and translated by it. */
import type { Resource } from '../src/model/resource.js';

export interface BodyForm {
  /** The variable that gets the members as its own; undefined where each member is a variable of its own. */
  variable: 'input' | undefined;
  /** Whether the body may be left out. */
  required: boolean;
  /** By their names in REST. */
  members: ReadonlyMap<string, Member>;
  /** Those of the members that are asked for here, by their names in REST. */
  expected: ReadonlyMap<string, ExpectedMember>;
  /** Names that are accepted and not read. */
  ignored: ReadonlySet<string>;
}

export interface Member {
  /** The name in GraphQL. */
  name: string;
  /** Whether only a list is accepted: GraphQL would accept a single value as a list of one. */
  isList?: boolean;
}

/** A member without which GraphQL would say something else. */
interface ExpectedMember extends Member {
  /** What is said where neither the body nor a parameter holds it. */
  missing: string;
}

/** In every record, but not writable: ignored, so that a record can be sent back as it was read. */
const readOnly: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

export const createBody = (resource: Resource): BodyForm => ({
  variable: 'input',
  required: resource.fields.some(({ required, name }) => required && name !== 'idx'),
  members: fieldsByRestName(resource),
  expected: new Map(),
  ignored: readOnly,
});

export const updateBody = (resource: Resource): BodyForm => ({ ...createBody(resource), required: false });

const parentOfLines = {
  name: 'parentId',
  missing: 'is required; send {"parent_id": "…", "ids": [every line once, in the new order]}',
};

export const orderBody: BodyForm = {
  variable: undefined,
  required: false,
  members: new Map<string, Member>([
    ['parent_id', parentOfLines],
    ['ids', { name: 'ids', isList: true }],
  ]),
  expected: new Map([['parent_id', parentOfLines]]),
  ignored: new Set(),
};

const known = new WeakMap<Resource, ReadonlyMap<string, Member>>();

function fieldsByRestName(resource: Resource): ReadonlyMap<string, Member> {
  const members = known.get(resource) ?? new Map(resource.fields.map(({ name, restName }) => [restName, { name }]));
  known.set(resource, members);
  return members;
}
