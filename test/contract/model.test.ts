import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { datamodel } from '../../src/generated/datamodel.js';
import { authorColumns } from '../../src/model/resource.js';
import { modelOf } from './datamodel-lookup.js';
import { decidedDefaults } from './decided.js';
import { type DocumentedResource, documentedResources } from './document.js';
import { type DocumentedField, documentedFields, modelName, parentReference } from './documented-fields.js';

const prismaTypes = { string: 'String', number: 'Float', integer: 'Int', boolean: 'Boolean' };
const children = documentedResources.filter(({ kind }) => kind === 'child');

test('the models are the 38 documented ones and the gateway’s own', () => {
  const own = readFileSync(new URL('../../prisma/models/gateway.prisma', import.meta.url), 'utf8').matchAll(
    /^model (\w+)/gm,
  );
  const expected = [...documentedResources.map(({ title }) => modelName(title)), ...[...own].map(([, name]) => name)];
  expect(datamodel.models.map(({ name }) => name).sort()).toEqual(expected.sort());
});

test('the models hold all 552 documented fields', () => {
  const held = documentedResources.flatMap((resource) => {
    const columns = columnsOf(resource.title).map(({ name }) => name);
    return documentedFields(resource).filter(({ name }) => columns.includes(camel(name)));
  });
  expect(held).toHaveLength(552);
});

describe.each(documentedResources)('$title', (resource) => {
  const fields = documentedFields(resource);

  test('a dash before each capital of the model name gives the slug', () => {
    const name = modelName(resource.title);
    expect(name.replaceAll(/(?<!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase()).toBe(resource.slug);
  });

  test('columns are id, the documented fields in the document’s order, then the gateway’s own', () => {
    const own = resource.kind === 'child' ? ['version'] : ['createdAt', 'updatedAt', ...authorColumns, 'version'];
    if (resource.title === 'Job Card Time Log') own.push('jobCardId');
    const names = columnsOf(resource.title).map(({ name }) => name);
    expect(names).toEqual(['id', ...fields.map(({ name }) => camel(name)), ...own]);
  });

  test('every column has the documented type', () => {
    const documented = fields.map(({ name, type }) => [camel(name), prismaTypes[type]]);
    expect(documentedColumnsOf(resource).map(({ name, type }) => [name, type])).toEqual(documented);
  });

  test('a column is non-null where the document guarantees a value', () => {
    const guaranteed = fields.filter((field) => isGuaranteed(resource, field)).map(({ name }) => camel(name));
    const nonNull = documentedColumnsOf(resource).filter(({ isRequired }) => isRequired);
    expect(nonNull.map(({ name }) => name)).toEqual(guaranteed);
  });

  test('every column has the documented or decided default, and no other', () => {
    const documented = fields.map((field) => [camel(field.name), defaultOf(resource, field)]);
    expect(documentedColumnsOf(resource).map((column) => [column.name, column.default])).toEqual(documented);
  });

  test('every field name comes back from camelCase to the same snake_case', () => {
    for (const { name } of fields) {
      expect(camel(name).replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)).toBe(name);
    }
  });
});

describe.each(children)('$title as a child', (resource) => {
  test('an index serves the lines of one parent in their order', () => {
    expect(indexedFields(resource.title)).toContainEqual([camel(parentReference(resource) ?? ''), 'idx']);
  });
});

describe.each(children.filter(({ parent }) => parent !== undefined))('$title and $parent', (resource) => {
  test('the child refers to its parent and goes with it', () => {
    expect(parentRelation(resource.title, modelName(resource.parent ?? ''))).toMatchObject({
      isRequired: true,
      relationFromFields: [camel(parentReference(resource) ?? '')],
      relationToFields: ['id'],
      relationOnDelete: 'Cascade',
    });
  });

  test('the parent has the list of its children', () => {
    const lists = modelOf(resource.parent ?? '').fields.filter(({ isList }) => isList);
    expect(lists.filter(({ type }) => type === modelName(resource.title))).toHaveLength(1);
  });
});

test('a time log of a job card goes with it, found by an index of its own', () => {
  expect(parentRelation('Job Card Time Log', 'JobCard')).toMatchObject({
    name: 'jobCard',
    isRequired: false,
    relationFromFields: ['jobCardId'],
    relationOnDelete: 'Cascade',
  });
  expect(modelOf('Job Card').fields.find(({ name }) => name === 'timeLogs')?.type).toBe('JobCardTimeLog');
  expect(indexedFields('Job Card Time Log')).toContainEqual(['jobCardId', 'idx']);
});

test('every record starts at version 1 and is known by its id', () => {
  for (const { title } of documentedResources) {
    const columns = columnsOf(title);
    expect(columns.find(({ isId }) => isId)).toMatchObject({ name: 'id', type: 'String', hasDefaultValue: false });
    expect(columns.find(({ name }) => name === 'version')).toMatchObject({ type: 'Int', default: 1, isRequired: true });
  }
});

/** Without the relations, which are no columns. */
function columnsOf(title: string) {
  return modelOf(title).fields.filter(({ kind }) => kind !== 'object');
}

function documentedColumnsOf(resource: DocumentedResource) {
  return columnsOf(resource.title).slice(1, 1 + documentedFields(resource).length);
}

function parentRelation(title: string, parent: string) {
  return modelOf(title).fields.find(({ kind, type, isList }) => kind === 'object' && type === parent && !isList);
}

function indexedFields(title: string): string[][] {
  const indexes = datamodel.indexes.filter(({ model }) => model === modelName(title));
  return indexes.map(({ fields }) => fields.map(({ name }) => name));
}

function defaultOf(resource: DocumentedResource, field: DocumentedField) {
  return field.default ?? decidedDefaults[resource.title]?.[field.name];
}

/** A singleton exists before anybody has set its required fields, so these may be empty (decision: Singletons). */
function isGuaranteed(resource: DocumentedResource, field: DocumentedField): boolean {
  if (field.name === 'idx' || defaultOf(resource, field) !== undefined) return true;
  return field.required && resource.kind !== 'singleton';
}

/** Written here again and not taken from `src/model/names.ts`, which is under test. */
function camel(name: string): string {
  return name.replaceAll(/_[a-z]/g, (pair) => pair.slice(1).toUpperCase());
}
