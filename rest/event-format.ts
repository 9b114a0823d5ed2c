/** The events of `GET /api/events`, as browsers' `EventSource` reads them: names, ids that are positions, and JSON. */
import type { GatewayError } from '../src/errors/gateway-error.js';
import { eventStreamType } from '../src/http/answer/event-stream.js';
import { isObject } from '../src/is-object.js';
import type { StreamFormat } from '../src/live/receiver.js';
import { wordOf } from '../src/model/enum-name.js';
import { slugOf, snakeOf } from '../src/model/names.js';
import { toRestError } from './errors.js';

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
  if (typeof notice === 'string') return event(position, notice.toLowerCase(), { position });
  const names = Array.isArray(fields) ? fields.map((name) => snakeOf(String(name))) : [];
  return event(position, 'change', {
    position,
    action: wordOf(String(action)),
    type: slugOf(String(type)),
    id,
    version,
    fields: names,
  });
}

const event = (position: number, name: string, data: object): string =>
  `id: ${position}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const refused = (refusal: GatewayError, requestId: string): string =>
  `event: error\ndata: ${toRestError(refusal, { requestId }).body}\n\n`;
