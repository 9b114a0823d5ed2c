import { buildSchema, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { storedOperations } from '../../rest/check-operations.js';
import { restOperations } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';
import { committedSdl } from '../support/sdl.js';

describe('the GraphQL operation of a REST endpoint', () => {
  test('is made for each, by a name of its own', () => {
    expect(restOperations.filter(({ documented }) => documented)).toHaveLength(197);
    expect(new Set(restOperations.map(({ name }) => name)).size).toBe(restOperations.length);
  });

  test('is right by every rule of GraphQL', () => {
    for (const { name, document, blindDocument } of restOperations) {
      for (const each of new Set([document, blindDocument])) expect(validate(schema, each), name).toEqual([]);
    }
  });

  test('that does not fit the schema stops the start, and is named', () => {
    const without = committedSdl().replace('submitAssetRepair(', 'sendAssetRepair(');
    expect(() => storedOperations(buildSchema(without), restOperations)).toThrow(
      /REST operation AssetRepairSubmit: .*submitAssetRepair/,
    );
    expect(() => storedOperations(schema, restOperations)).not.toThrow();
  });
});
