/** Random requests to any REST endpoint: paths, queries and bodies that are mostly invalid. */
import fc from 'fast-check';
import { restOperations } from '../support/rest-operations.js';
import type { RawRequest } from './raw-request.js';

/** `ids` are those of existing records, which are used now and then. */
export function randomRequest(ids: readonly string[]): fc.Arbitrary<RawRequest> {
  return fc
    .record({
      operation: fc.constantFrom(...restOperations),
      id: fc.oneof(fc.constantFrom(...ids), fc.string({ unit: 'binary' }), fc.webSegment()),
      query: fc.dictionary(queryName, queryValue, { maxKeys: 3 }),
      body: fc.option(fc.oneof(json, knownNames(ids), bytes), { nil: undefined }),
    })
    .map(({ operation: { method, path }, id, query, body }) => {
      const search = new URLSearchParams(query).toString();
      return { method, path: path.replace('{id}', encodeURIComponent(id)) + (search ? `?${search}` : ''), body };
    });
}

const queryName = fc.oneof(fc.constantFrom('limit', 'offset', 'parent_id'), fc.string());
const queryValue = fc.oneof(fc.integer().map(String), fc.string({ unit: 'binary' }));
const json = fc.json({ stringUnit: 'binary' });
const bytes = fc.uint8Array().map((array) => Buffer.from(array));

const names = [
  ...new Set(restOperations.flatMap(({ resource }) => resource.fields.map(({ restName }) => restName))),
  'parent_id',
  'ids',
];

function knownNames(ids: readonly string[]): fc.Arbitrary<string> {
  const value = fc.oneof(
    fc.jsonValue({ stringUnit: 'binary' }),
    fc.constantFrom(...ids),
    fc.array(fc.constantFrom(...ids)),
  );
  return fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 12 }).map((body) => JSON.stringify(body));
}
