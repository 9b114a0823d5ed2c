/** The events of `GET /api/events`, as browsers' `EventSource` reads them: names, ids that are positions, and JSON. */

import { isObject } from '../src/common/is-object.js';
import { eventStreamType, type StreamFormat, type StreamNotice } from '../src/gateway/http/answer/event-stream.js';
import { catalogue } from '../src/model/catalogue.js';
import { changeActions } from '../src/model/change.js';
import type { GatewayError } from '../src/model/errors/gateway-error.js';
import { enumName, slugOf, snakeOf, wordOf } from '../src/model/names.js';
import { toRestError } from './errors.js';
import type { Schema } from './schema.js';

const text: Schema = { type: 'string' };
const position: Schema = {
  type: 'integer',
  format: 'int64',
  description: 'The same as the id of the event. Continuing after it misses nothing.',
};

const notice = (description: string) => ({
  description,
  data: { type: 'object', properties: { position }, required: ['position'] },
});

/** The events: what is sent is typed by them, and the description shows them. */
export const streamEvents = {
  change: {
    description: 'A record that the key may read was changed.',
    data: {
      type: 'object',
      properties: {
        position,
        action: { type: 'string', enum: changeActions },
        type: { ...text, description: 'The type of the record, as paths name it.' },
        id: { ...text, description: 'The id of the record.' },
        version: { type: 'integer', format: 'int32', description: 'Its version after the change.' },
        fields: { type: 'array', items: text, description: 'The changed fields, and lists whose lines were changed.' },
      },
      required: ['position', 'action', 'type', 'id', 'version', 'fields'],
    },
  },
  opened: notice('The stream has begun: every change after `position` follows.'),
  too_old: notice('The changes asked for are no longer kept. Read what you show again; the stream goes on.'),
  closing: notice('The gateway ends the stream. Connect again with the last id.'),
  refused: {
    description: 'The stream ends, because it is refused from now on. It has no id.',
    data: { $ref: '#/components/schemas/ErrorAnswer' },
  },
} as const satisfies Record<string, { description: string; data: Schema }>;

const noticeEvents = {
  OPENED: 'opened',
  TOO_OLD: 'too_old',
  CLOSING: 'closing',
} as const satisfies Record<StreamNotice, keyof typeof streamEvents>;

/** The events that have a position, and their data. */
type PositionedEvent = Exclude<keyof typeof streamEvents, 'refused'>;
type DataOf<Name extends PositionedEvent> = Record<keyof (typeof streamEvents)[Name]['data']['properties'], unknown>;

/** Milliseconds after which a client may connect again. */
const retryAfter = 1_000;

export const restEvents: StreamFormat = {
  name: 'rest',
  type: eventStreamType,
  event(position, text, isOpening) {
    const retry = isOpening ? `retry: ${retryAfter}\n` : '';
    return Buffer.from(`${retry}${eventOf(position, JSON.parse(Buffer.from(text, 'latin1').toString()))}`);
  },
  end: (requestId, refusal) => Buffer.from(refusal ? refused(refusal, requestId) : `retry: ${retryAfter}\n\n`),
  // Heartbeats carry the position too, so that after a long silence a client continues from a recent one.
  heartbeat: (position) => Buffer.from(`:\nid: ${position}\n\n`),
};

/** `result` is that of the subscription in `rest/events.ts`. */
function eventOf(position: number, result: unknown): string {
  const data = isObject(result) && isObject(result.data) ? result.data.changes : undefined;
  const { notice, action, type, recordId: id, version, fields } = isObject(data) ? data : {};
  if (isNotice(notice)) return event(position, noticeEvents[notice], { position });
  const names = Array.isArray(fields) ? fields.map((name) => snakeOf(String(name))) : [];
  return event(position, 'change', {
    position,
    action: wordOf(String(action)),
    type: slugs.get(type),
    id,
    version,
    fields: names,
  });
}

/** The types as paths name them, by the names of `RecordType`. */
const slugs = new Map<unknown, string>(Object.keys(catalogue).map((model) => [enumName(model), slugOf(model)]));

const isNotice = (notice: unknown): notice is keyof typeof noticeEvents =>
  typeof notice === 'string' && notice in noticeEvents;

const event = <Name extends PositionedEvent>(position: number, name: Name, data: DataOf<Name>): string =>
  `id: ${position}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** It is not called `error`, because `EventSource` has an event of that name for lost connections. */
const refused = (refusal: GatewayError, requestId: string): string => {
  const name: keyof typeof streamEvents = 'refused';
  return `event: ${name}\ndata: ${toRestError(refusal, { requestId }).body}\n\n`;
};
