import { buildSchema, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createStoredDocuments } from '../../rest/operation.js';
import { restOperations } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';
import { committedSdl } from '../support/sdl.js';

describe('the GraphQL operation of a REST endpoint', () => {
  test('is made for each, by a name of its own', () => {
    expect(restOperations.filter(({ documented }) => documented)).toHaveLength(197);
    expect(new Set(restOperations.map(({ name }) => name)).size).toBe(restOperations.length);
  });

  test('is right by every rule of GraphQL', () => {
    for (const { name, document, blind } of restOperations) {
      for (const each of new Set([document, blind.document])) expect(validate(schema, each), name).toEqual([]);
    }
  });

  test('that does not fit the schema is not performed, and named', () => {
    const without = createStoredDocuments(
      buildSchema(committedSdl().replace('submitAssetRepair(', 'sendAssetRepair(')),
    );
    const submit = restOperations.find(({ name }) => name === 'AssetRepairSubmit');
    const cancel = restOperations.find(({ name }) => name === 'AssetRepairCancel');
    if (!submit || !cancel) throw new Error('Asset Repair has both');
    expect(() => without(submit.document, submit.name)).toThrow(
      /REST operation AssetRepairSubmit: .*submitAssetRepair/,
    );
    expect(without(cancel.document, cancel.name).document).toBe(cancel.document);
  });
});
