/** What webhooks send, as the section `webhooks` of OpenAPI. Their members are typed by the code that sends them. */

import type { Schema } from '../../../rest/schema.js';
import { changeActions } from '../../model/change.js';
import type { ChangeMessage, SignedHeaders } from './delivery/message.js';

const text: Schema = { type: 'string' };
const version: Schema = { type: 'integer', format: 'int32' };

const change: Record<keyof ChangeMessage, Schema> & Record<'record' | 'error', Schema> = {
  position: { type: 'integer', format: 'int64', description: 'Its place in the order of all changes.' },
  type: { ...text, description: 'The type of the record, such as `AssetRepair`.' },
  id: { ...text, description: 'The id of the record.' },
  action: { type: 'string', enum: changeActions },
  version: { ...version, description: 'The version of the record after the change.' },
  document: {
    description: 'The record itself, or that to which a line belongs.',
    type: 'object',
    properties: { type: { type: ['string', 'null'] }, id: text },
    required: ['type', 'id'],
  },
  record: {
    description: 'What the webhook selects of the record, as it is now; null if it is gone or cannot be read.',
    type: ['object', 'null'],
  },
  error: {
    description: 'Why the record cannot be read.',
    type: 'object',
    properties: { code: text, message: text },
    required: ['code', 'message'],
  },
};

const header = (name: keyof SignedHeaders, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

export const describedWebhooks = {
  recordChanged: {
    post: {
      operationId: 'RecordChanged',
      summary: 'A record was changed',
      description:
        'Sent to the address of a webhook for each change that it asks for, in order, and again until it is answered with 2xx. It is signed as Standard Webhooks say. Messages of the types `test` and `gap` have other `data`.',
      tags: ['events'],
      security: [],
      parameters: [
        header('webhook-id', 'The same whenever the message is sent again.'),
        header('webhook-timestamp', 'Seconds since 1970.'),
        header('webhook-signature', 'The signatures of id, timestamp and body.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                type: { ...text, description: 'The type of the record and the action: `AssetRepair.update`.' },
                timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
                data: {
                  type: 'object',
                  properties: change,
                  required: ['position', 'type', 'id', 'action', 'version', 'document'],
                },
              },
              required: ['type', 'timestamp', 'data'],
            } satisfies Schema,
          },
        },
      },
      responses: { 200: { description: 'Any status of 2xx: the message has arrived.' } },
    },
  },
};
