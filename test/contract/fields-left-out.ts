import { describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { decidedDefaults } from './decided.js';
import type { DocumentedResource } from './document.js';
import { documentedFields, parentReference } from './documented-fields.js';
import { fixedValues, oddBody } from './odd-records.js';
import { type Body, minimalBody, newParent, someRecord } from './records.js';
import type { Surface } from './surfaces.js';

/** Section 2.1.2: fields that are left out, required, defaulted, or null. */
export function showFieldsLeftOut(gateway: () => TestGateway, writer: Surface, resources: DocumentedResource[]): void {
  const created = resources.filter(({ kind }) => kind !== 'singleton');

  describe(`a field left out or null in a create through ${writer.name} has its default, or is null`, () => {
    for (const resource of created) {
      test.concurrent(resource.title, async () => {
        const parentId = resource.kind === 'child' ? await newParent(gateway(), resource) : '';
        const body = await minimalBody(gateway(), resource, parentId);
        const nulls = Object.fromEntries(documentedFields(resource).map(({ name }) => [name, null]));
        for (const sent of [body, { ...nulls, ...body }]) {
          const { record, refused } = await writer.write(gateway(), resource, sent);
          expect(refused).toBeUndefined();
          expect(record).toMatchObject({ ...initialValues(resource), ...body });
        }
      });
    }
  });

  describe(`a required field missing or null in a create through ${writer.name} is named`, () => {
    for (const resource of created) {
      test.concurrent(resource.title, async () => {
        const required = requiredNames(resource);
        const nulls = Object.fromEntries(required.map((name) => [name, null]));
        for (const body of required.length > 0 ? [{}, nulls] : []) {
          const { record, refused } = await writer.write(gateway(), resource, body);
          expect(record).toBeUndefined();
          expect(refused).toEqual(required);
        }
      });
    }
  });

  describe(`null in an update through ${writer.name} clears what is optional and nothing else`, () => {
    for (const resource of resources) {
      test.concurrent(resource.title, async () => {
        const before = await someRecord(gateway(), resource);
        const { id } = before;
        const parentId = String(before[parentReference(resource) ?? '']);
        const full = oddBody(resource, 3, fixedValues(resource, 'draft', parentId, Number(before.idx)));
        expect((await writer.write(gateway(), resource, full, id)).refused).toBeUndefined();

        const kept = [...requiredNames(resource), ...(resource.kind === 'child' ? ['idx'] : [])];
        const cleared = Object.entries(initialValues(resource)).filter(([name]) => !kept.includes(name));
        const nulls = Object.fromEntries(cleared.map(([name]) => [name, null]));
        const { record } = await writer.write(gateway(), resource, nulls, id);
        expect(record).toMatchObject({ ...full, ...Object.fromEntries(cleared) });

        const refusal = await writer.write(
          gateway(),
          resource,
          Object.fromEntries(kept.map((name) => [name, null])),
          id,
        );
        expect(refusal.refused ?? []).toEqual(expect.arrayContaining(kept));
      });
    }
  });
}

const requiredNames = (resource: DocumentedResource): string[] =>
  documentedFields(resource)
    .filter(({ required }) => required)
    .map(({ name }) => name);

/** The values of a new record for missing fields; `idx` is computed. */
function initialValues(resource: DocumentedResource): Body {
  const decided = decidedDefaults[resource.title] ?? {};
  const fields = documentedFields(resource).filter(({ name, required }) => name !== 'idx' && !required);
  return Object.fromEntries(fields.map((field) => [field.name, field.default ?? decided[field.name] ?? null]));
}
