import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { modelName } from './documented-fields.js';
import { type Body, create, documented } from './records.js';

/** An empty body is refused for exactly these fields, and with them a record is created. */
export async function expectRequired(gateway: TestGateway, title: string, names: string[]): Promise<void> {
  const resource = documented(title);
  const answer = await gateway.rest('POST', resource.base, {});
  expect(answer.status, answer.text).toBe(names.length > 0 ? 400 : 201);
  const missing = answer.body.error?.errors.map(({ param }: { param: string }) => param) ?? [];
  expect(missing, title).toEqual(names);
  await create(gateway, resource);
}

/** The record holds no lists: neither on REST nor on GraphQL. */
export async function expectNoChildren(gateway: TestGateway, title: string): Promise<void> {
  const resource = documented(title);
  const record: Body = await create(gateway, resource);
  expect(Object.values(record).filter(Array.isArray)).toEqual([]);
  const type = `{ __type(name: "${modelName(title)}") { fields { name type { kind ofType { kind ofType { name } } } } } }`;
  const { fields } = (await gateway.graphql(type)).body.data.__type;
  expect(fields.length).toBeGreaterThan(20);
  expect(JSON.stringify(fields)).not.toMatch(/Connection|"kind":"LIST","ofType":\{"kind":"OBJECT"/);
}
