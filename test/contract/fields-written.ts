import { describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import type { DocumentedResource } from './document.js';
import { everyRound, fixedValues, oddBody, roundsOf } from './odd-records.js';
import { newParent, type RecordBody, someRecord } from './records.js';
import { type Surface, surfaces } from './surfaces.js';
import { oddString } from './values.js';

/** Section 2: every field of every record, written through one surface, is read back the same through both. */
export function showFieldsWritten(gateway: () => TestGateway, writer: Surface, resources: DocumentedResource[]): void {
  describe(`every field written through ${writer.name} is read the same through both surfaces`, () => {
    for (const resource of resources.filter(({ kind }) => kind !== 'singleton')) {
      test.concurrent(`${resource.title}, created and updated`, async () => {
        const parentId = await oddParent(gateway(), resource);
        const records = await createRounds(gateway(), writer, resource, parentId);
        await expectRead(gateway(), resource, records);
        await expectRead(gateway(), resource, await updateRounds(gateway(), writer, resource, parentId, records));
      });
    }

    for (const resource of resources.filter(({ kind }) => kind === 'singleton')) {
      test(`${resource.title}, updated`, async () => {
        const { id } = await someRecord(gateway(), resource);
        for (const round of everyRound) {
          const body = oddBody(resource, round, {});
          const { record = { id } } = await writer.write(gateway(), resource, body, id);
          expect(record).toEqual({ ...body, ...setByService(resource, id) });
          await expectRead(gateway(), resource, [record]);
        }
      });
    }
  });
}

async function oddParent(gateway: TestGateway, resource: DocumentedResource): Promise<string> {
  if (resource.kind !== 'child') return '';
  const parentId = await newParent(gateway, resource);
  return resource.parent ? parentId : `${parentId} ${oddString}`;
}

async function createRounds(
  gateway: TestGateway,
  writer: Surface,
  resource: DocumentedResource,
  parentId: string,
): Promise<RecordBody[]> {
  const records: RecordBody[] = [];
  const path = `${resource.base}?parent_id=${encodeURIComponent(parentId)}`;
  const before = resource.kind === 'child' ? (await gateway.rest('GET', path)).body.total : 0;
  for (const [index, round] of roundsOf(surfaces.indexOf(writer) * 2).entries()) {
    const body = oddBody(resource, round, fixedValues(resource, 'draft', parentId, before + index + 1));
    const { record = { id: '' } } = await writer.write(gateway, resource, body);
    expect(record).toEqual({ ...body, ...setByService(resource, record.id) });
    records.push(record);
  }
  return records;
}

function updateRounds(
  gateway: TestGateway,
  writer: Surface,
  resource: DocumentedResource,
  parentId: string,
  records: RecordBody[],
): Promise<RecordBody[]> {
  const updates = roundsOf(surfaces.indexOf(writer) * 2 + 1);
  return Promise.all(
    records.map(async ({ id, idx }, index) => {
      const body = oddBody(resource, updates[index] ?? 0, fixedValues(resource, 'submitted', parentId, Number(idx)));
      const { record = { id } } = await writer.write(gateway, resource, body, id);
      expect(record).toEqual({ ...body, ...setByService(resource, id) });
      return record;
    }),
  );
}

async function expectRead(gateway: TestGateway, resource: DocumentedResource, records: RecordBody[]): Promise<void> {
  for (const reader of surfaces) {
    expect(await reader.read(gateway, resource, records), `read through ${reader.name}`).toEqual(records);
  }
}

function setByService({ kind }: DocumentedResource, id: string): object {
  return kind === 'child' ? { id } : { id, created_at: expect.any(String), updated_at: expect.any(String) };
}
