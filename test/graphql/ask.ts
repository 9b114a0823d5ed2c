import { expect } from 'vitest';
import type { Answer, TestGateway } from '../support/gateway.js';

type Gateway = Pick<TestGateway, 'graphql'>;

/** The data of an operation that must succeed. */
export async function ask(
  gateway: Gateway,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const { body, text } = await gateway.graphql(query, variables);
  expect(body?.errors, text).toBeUndefined();
  return body.data;
}

/** The first error of an operation that must fail; its request id, which is another each time, is compared and left out. */
export async function refusal(
  gateway: Gateway,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const { body, text, headers } = await gateway.graphql(query, variables);
  expect(body?.errors?.length, text).toBeGreaterThan(0);
  const { extensions, ...error } = body.errors[0];
  const { requestId, ...others } = extensions;
  expect(requestId).toBe(headers.get('x-request-id'));
  return { ...error, extensions: others };
}
