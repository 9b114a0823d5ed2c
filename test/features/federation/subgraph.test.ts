/** The text of the subgraph: its keys, and nothing else besides the schema. */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { printSdl } from '../../../src/graphql/print-sdl.js';
import { resources } from '../../support/resources.js';
import { schema } from '../../support/schema.js';
import { committedSdl } from '../../support/sdl.js';
import { subgraphSdl } from './subgraph.js';

test('each record type, lines and singletons included, has its id as key, and no other type has one', () => {
  const keyed = [...subgraphSdl.matchAll(/^type (\w+)[^{]* @key\(fields: "id"\) \{$/gm)].map(([, name]) => name);
  expect(keyed).toHaveLength(38);
  expect(keyed.toSorted()).toEqual(resources.map(({ model }) => model).toSorted());
  expect(subgraphSdl.match(/@key/g)).toHaveLength(38 + 1); // the one more is where it is imported
  expect(subgraphSdl.match(/^type .* @shareable/gm)).toEqual(['type PageInfo @shareable']);
});

test('the text of the subgraph is the schema without what composition adds', () => {
  const plain = (sdl: string) =>
    parse(sdl, { noLocation: true }).definitions.flatMap((each) => ('name' in each ? [each.name?.value] : []));
  expect(plain(subgraphSdl)).toEqual(plain(committedSdl()));
  expect(subgraphSdl).not.toMatch(/_entities|_service|_Any|_Entity|_Service/);
});

test('the schema does not change without FEDERATION=true', () => {
  expect(printSdl(schema)).toBe(committedSdl());
  expect(printSdl(schema)).not.toMatch(/_entities|_service|@key|@shareable/);
});
