/** Records for the tests, created over HTTP with the fields that the document requires and nothing else. */
import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { type DocumentedResource, documentedResources } from './document.js';
import { documentedFields, parentReference } from './documented-fields.js';
import { plainValue, type Value } from './values.js';

export type Rest = Pick<TestGateway, 'rest'>;
export type Body = Record<string, Value>;
export type RecordBody = Body & { id: string };

/** The resource of this title in the document. */
export function documented(title: string): DocumentedResource {
  const resource = documentedResources.find((candidate) => candidate.title === title);
  if (!resource) throw new Error(`The document has no ${title}`);
  return resource;
}

/** A body with the R fields and nothing else; the parent of a child is made first unless `parentId` names it. */
export async function minimalBody(gateway: Rest, resource: DocumentedResource, parentId?: string): Promise<Body> {
  const required = documentedFields(resource).filter((field) => field.required);
  const body = Object.fromEntries(required.map((field) => [field.name, plainValue(field)]));
  const reference = parentReference(resource);
  return reference ? { ...body, [reference]: parentId ?? (await newParent(gateway, resource)) } : body;
}

/** Creates a record with its R fields and `more`. */
export async function create(
  gateway: Rest,
  resource: DocumentedResource,
  more: Body = {},
  parentId?: string,
): Promise<RecordBody> {
  const body = { ...(await minimalBody(gateway, resource, parentId)), ...more };
  const answer = await gateway.rest('POST', resource.base, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** A record to work on: a new one, or the only one of a singleton. */
export async function someRecord(gateway: Rest, resource: DocumentedResource): Promise<RecordBody> {
  return resource.kind === 'singleton' ? (await gateway.rest('GET', resource.base)).body : create(gateway, resource);
}

let foreignParents = 0;

/** The id of a parent without lines: a new record, the singleton, or a name of something stored elsewhere. */
export async function newParent(gateway: Rest, child: DocumentedResource): Promise<string> {
  if (!child.parent) return `parent-${++foreignParents}`;
  const parent = documented(child.parent);
  return (await someRecord(gateway, parent)).id;
}
