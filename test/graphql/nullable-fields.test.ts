/** Every field of a record may be null but those that each caller may see, so that a field can be hidden later. */
import { isNonNullType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { documentedResources, documentLike } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { schema } from '../support/schema.js';

const alwaysThere = ['id', 'recordId', 'version', 'displayTitle', 'actions', 'createdAt', 'updatedAt', 'idx'];
const ofDocuments = ['status', 'storedStatus', 'allowedActions'];

test.each(documentedResources.map(({ title }) => title))('%s', (title) => {
  const type = schema.getType(modelName(title));
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  expect(fields.length).toBeGreaterThan(5);
  const expected = documentLike.includes(title) ? [...alwaysThere, ...ofDocuments] : alwaysThere;
  const names = fields.map(({ name }) => name);
  const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);
  expect(required.sort()).toEqual(expected.filter((name) => names.includes(name)).sort());
});
