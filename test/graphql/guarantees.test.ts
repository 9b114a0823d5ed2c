/**
 * What the types promise, held against the document: each field has its type (which of them are
 * never null: `nullable-fields.test.ts`), and an input says what is required and what stands in for what is left out (document 2.1.2).
 */
import { assertInputObjectType, assertObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { decidedDefaults } from '../contract/decided.js';
import { type DocumentedResource, documentedResources, documentLike } from '../contract/document.js';
import { type DocumentedField, documentedFields, modelName, parentReference } from '../contract/documented-fields.js';
import { camel, manyOf, oneOf } from '../contract/graphql-names.js';
import { schema } from '../support/schema.js';

describe.each(documentedResources.map((resource): [string, DocumentedResource] => [resource.title, resource]))(
  '%s',
  (title, resource) => {
    const fields = documentedFields(resource).map((field) => ({ ...field, ...decided(title, field) }));
    const reference = parentReference(resource);
    const typeNameOf = ({ name, type }: DocumentedField) => {
      if (name === 'status' && documentLike.includes(title)) return 'DocumentStatus';
      return name === reference || (type === 'string' && name.endsWith('_id')) ? 'ID' : scalars[type];
    };

    test('each field has the type of the document, and what the service gives is never null', () => {
      const shown = assertObjectType(schema.getType(modelName(title))).getFields();
      for (const field of fields) {
        // Roles may hide a field, also one that is required or has a default, but not a place or a state.
        const isState = field.name === 'status' && documentLike.includes(title);
        const isSure = field.name === 'idx' || isState;
        const type = typeNameOf(field);
        expect(String(shown[camel(field.name)]?.type), field.name).toBe(isSure ? `${type}!` : type);
      }
      expect(String(shown.id?.type)).toBe('ID!');
      expect(String(shown.version?.type)).toBe('Int!');
      expect(String(shown.createdAt?.type)).toBe(resource.kind === 'child' ? 'undefined' : 'DateTime!');
      expect(String(shown.updatedAt?.type)).toBe(resource.kind === 'child' ? 'undefined' : 'DateTime!');
    });

    // A singleton exists already.
    if (resource.kind !== 'singleton')
      test('create requires what is marked R, and shows the defaults', () => {
        const given = assertInputObjectType(schema.getType(`Create${modelName(title)}Input`)).getFields();
        for (const field of fields) {
          const type = typeNameOf(field);
          expect(String(given[camel(field.name)]?.type), field.name).toBe(field.required ? `${type}!` : type);
          expect(given[camel(field.name)]?.defaultValue, field.name).toBe(field.default);
        }
      });

    test('update requires nothing and fills nothing in', () => {
      const given = assertInputObjectType(schema.getType(`Update${modelName(title)}Input`)).getFields();
      const names = fields.map(({ name }) => camel(name));
      expect(Object.keys(given).sort()).toEqual(names.sort());
      for (const { name, type, defaultValue } of Object.values(given)) {
        expect(String(type), name).not.toMatch(/!$/);
        expect(defaultValue, name).toBeUndefined();
      }
    });

    test('a query may return null for a missing or refused record; lists hold no nulls', () => {
      const queries = schema.getQueryType()?.getFields() ?? {};
      const model = modelName(title);
      expect(String(queries[oneOf(resource)]?.type)).toBe(model);
      if (resource.kind === 'singleton') return;
      expect(String(queries[manyOf(resource)]?.type)).toBe(`${model}Connection`);
      const page = assertObjectType(schema.getType(`${model}Connection`)).getFields();
      expect(Object.fromEntries(Object.values(page).map(({ name, type }) => [name, String(type)]))).toEqual({
        edges: `[${model}Edge!]!`,
        nodes: `[${model}!]!`,
        pageInfo: 'PageInfo!',
        totalCount: 'Int!',
      });
    });
  },
);

test('a refused mutation is null and does not affect the others', () => {
  for (const { name, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    expect(String(type), name).not.toMatch(/!$/);
  }
});

test('each line has the field of its parent, which may be hidden', () => {
  const without = documentedResources
    .filter(({ kind }) => kind === 'child')
    .flatMap(({ title, parent }) => {
      const fields = assertObjectType(schema.getType(modelName(title))).getFields();
      const field = Object.values(fields).find(({ type }) => parent && String(type) === modelName(parent));
      return field ? [] : [title];
    });
  // The document names no type for the parents of these: a record held elsewhere, and usually a job card.
  expect(without).toEqual(['Sales Invoice Payment', 'Job Card Time Log']);
  expect(String(assertObjectType(schema.getType('JobCardTimeLog')).getFields().jobCard?.type)).toBe('JobCard');
});

const scalars: Record<DocumentedField['type'], string> = {
  string: 'String',
  number: 'Float',
  integer: 'Int',
  boolean: 'Boolean',
};

function decided(title: string, { name }: DocumentedField): Pick<DocumentedField, 'default'> {
  const value = decidedDefaults[title]?.[name];
  return value === undefined ? {} : { default: value };
}
