/** What a webhook gets is what the description says of it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { describedWebhooks } from '../../src/features/webhooks/serve-webhooks.js';
import { createWebhook, startDeliverer, until, webhookSettings } from '../features/webhooks/deliverer.js';
import { startReceiver } from '../features/webhooks/receiver.js';
import { startGateway } from '../support/gateway.js';

const { parameters, requestBody } = describedWebhooks.recordChanged.post;
const { schema } = requestBody.content['application/json'];
const { data } = schema.properties;
const closed = { ...data, additionalProperties: false };
const isDescribed = new Ajv2020({ strict: false, validateFormats: false }).compile({
  ...schema,
  properties: { ...schema.properties, data: closed },
  additionalProperties: false,
});

test('a message has the members and the headers that are described, with a selection and without', async () => {
  const receiver = await startReceiver();
  const gateway = await startGateway({ env: webhookSettings });
  onTestFinished(() => gateway.close());
  for (const selection of ['{ industry }', null])
    await createWebhook(gateway, { url: receiver.url, types: ['INDUSTRY_TYPE'], ...(selection && { selection }) });
  const deliverer = startDeliverer(gateway);
  onTestFinished(() => deliverer.stop());
  await gateway.rest('POST', '/api/crm/industry-type', { industry: 'Ships' });
  await until('both are told', () => receiver.received.length === 2);
  const messages = receiver.received.map(({ text }) => JSON.parse(text));
  for (const message of messages) expect([isDescribed(message), isDescribed.errors]).toEqual([true, null]);
  expect(messages.map(({ data: { record } }) => record)).toEqual(
    expect.arrayContaining([undefined, { industry: 'Ships' }]),
  );
  for (const { headers } of receiver.received)
    for (const { name } of parameters) expect([name, headers[name]]).toEqual([name, expect.any(String)]);
  expect(isDescribed({ ...messages[0], data: { ...messages[0].data, more: 1 } })).toBe(false);
});
