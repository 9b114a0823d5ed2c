import { expect, test } from 'vitest';
import { type DocumentedResource, documentedResources, documentLike } from './document.js';
import { documentedFields, parentReference } from './documented-fields.js';

const ofKind = (kind: DocumentedResource['kind']) => documentedResources.filter((resource) => resource.kind === kind);
const total = (resources: readonly DocumentedResource[], count: (resource: DocumentedResource) => number) =>
  resources.reduce((sum, resource) => sum + count(resource), 0);

test('the transcription holds 19 top-level resources, 2 singletons and 17 children', () => {
  expect([ofKind('resource').length, ofKind('singleton').length, ofKind('child').length]).toEqual([19, 2, 17]);
});

test('the transcription holds 552 fields: 383 of top-level resources, 9 of singletons, 160 of children', () => {
  const fields = (resource: DocumentedResource) => documentedFields(resource).length;
  expect([ofKind('resource'), ofKind('singleton'), ofKind('child')].map((kind) => total(kind, fields))).toEqual([
    383, 9, 160,
  ]);
  expect(total(documentedResources, fields)).toBe(552);
});

test('the transcription holds 197 endpoints: 93 standard, 9 submit, 8 cancel, 4 singleton, 83 child', () => {
  const operations = (resource: DocumentedResource) => resource.operations.length;
  const having = (operation: 'submit' | 'cancel') =>
    documentedResources.filter((resource) => resource.operations.includes(operation)).length;
  const standard = total(ofKind('resource'), operations) - having('submit') - having('cancel');
  expect([standard, having('submit'), having('cancel')]).toEqual([93, 9, 8]);
  expect(total(ofKind('singleton'), operations)).toBe(4);
  expect(total(ofKind('child'), operations)).toBe(83);
});

test('every parent and every document-like resource named is a top-level resource or singleton', () => {
  const titles = documentedResources.filter(({ kind }) => kind !== 'child').map(({ title }) => title);
  const named = documentedResources.flatMap(({ parent }) => (parent ? [parent] : []));
  expect(titles).toEqual(expect.arrayContaining([...named, ...documentLike]));
});

test.each(ofKind('child'))('$title begins with its position and the reference to its parent', (resource) => {
  const fields = documentedFields(resource);
  expect(fields[0]).toEqual({ name: 'idx', type: 'integer', required: false });
  expect(fields[1]).toEqual({ name: parentReference(resource), type: 'string', required: true });
});

test.each(documentedResources)('$title has its path made of area and slug, and no field twice', (resource) => {
  expect(resource.base).toBe(`/api/${resource.area}/${resource.slug}`);
  const names = documentedFields(resource).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
