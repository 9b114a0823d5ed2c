/**
 * `GET /api/events?types=…&actions=…&after=…`: the subscription `changes` for clients of REST, as browsers' `EventSource` reads
 * it: names, ids that are positions, and JSON. `Last-Event-ID`, which browsers send by themselves after a break, takes the place
 * of `after`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { toRestError } from '../../../rest/errors.js';
import { listParameter, unknownWord } from '../../../rest/parameters.js';
import { explainParameter } from '../../../rest/request.js';
import { positionInText } from '../../change/journal/journal.js';
import type { OwnEndpoint, Schema } from '../../gateway/api.js';
import type { StreamFormat, StreamNotice } from '../../gateway/call.js';
import { eventStreamType } from '../../gateway/http/answer/headers.js';
import { retryAfter } from '../../gateway/http/graphql-result.js';
import { catalogue } from '../../model/catalogue.js';
import { changeActions } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import type { Problem } from '../../model/errors/problem.js';
import { enumName, slugOf, snakeOf } from '../../model/names.js';

export function eventsEndpoint(): OwnEndpoint {
  return {
    name: 'Events',
    path: '/api/events',
    parameters: [
      listParameter('types', 'Only changes of these record types, separated by commas.', [...typeNames.keys()]),
      listParameter('actions', 'Only these changes, separated by commas.', changeActions),
      {
        ...positionParameter,
        name: 'after',
        in: 'query',
        description: 'The position after which to begin: that of the last event you know.',
      },
      {
        ...positionParameter,
        name: 'Last-Event-ID',
        in: 'header',
        description: 'As `after`; browsers send it by themselves after a break.',
      },
    ],
    query,
    stream: { format: restEvents, read: eventVariables },
    summary: 'Follow the changes of records as they happen',
    description: `Server-sent events, as \`EventSource\` reads them, with JSON as their \`data\`:\n\n${Object.entries(
      streamEvents,
    )
      .map(([name, { description }]) => `- \`${name}\`: ${description}`)
      .join('\n')}`,
    answer: { description: 'The stream of events.', schema: { type: 'string', 'x-events': streamEvents } },
  };
}

const query = `subscription Events($types: [RecordType!], $actions: [ChangeAction!]) {
  changes(types: $types, actions: $actions) { notice action type recordId version fields }
}`;

/** No example: each journal has its own positions. */
const positionParameter = { schema: { type: 'string', pattern: '^\\d{1,16}$' } } as const;

/** The names of `RecordType`, by the types as paths name them. */
const typeNames = new Map(Object.keys(catalogue).map((model) => [slugOf(model), enumName(model)]));

const actionNames = new Map<string, string>(changeActions.map((action) => [action, enumName(action)]));

const known: ReadonlySet<string> = new Set(['types', 'actions', 'after']);

/** @throws BAD_USER_INPUT */
function eventVariables(headers: IncomingHttpHeaders, query: URLSearchParams) {
  const problems: Problem[] = [];
  const object = (name: string, message: string, code: Problem['code'] = 'parameter_invalid') =>
    problems.push({ path: [name], code, message });
  for (const name of new Set(query.keys())) {
    if (name === explainParameter) continue;
    if (!known.has(name))
      object(name, `is not known here; the parameters are ${[...known].join(', ')}`, 'parameter_unknown');
    else if (query.getAll(name).length > 1) object(name, 'is given more than once; separate values by commas');
  }
  const listed = (name: string, values: ReadonlyMap<string, string>) => {
    const words = query.get(name)?.split(',');
    for (const word of words ?? []) if (!values.has(word)) object(name, unknownWord(word, [...values.keys()]));
    return words && { [name]: words.flatMap((word) => values.get(word) ?? []) };
  };
  const variables = { ...listed('types', typeNames), ...listed('actions', actionNames) };
  const lastId = headers['last-event-id'];
  const given = lastId === undefined ? query.get('after') : String(lastId);
  const after = given === null ? undefined : positionInText(given);
  if (given !== null && after === undefined)
    object('after', 'must be a position that a stream has sent, a whole number');
  if (problems.length > 0) throw errors.badInput(problems);
  return { variables, after };
}

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
const streamEvents = {
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
} as const satisfies Record<'change' | 'refused' | Lowercase<StreamNotice>, { description: string; data: Schema }>;

const restEvents: StreamFormat = {
  name: 'rest',
  type: eventStreamType,
  opening: Buffer.from(`retry: ${retryAfter}\n`),
  event({ position, notice, action, type, recordId: id, version, fields }) {
    if (notice) return Buffer.from(event(position, notice.toLowerCase(), { position }));
    const change: Record<keyof typeof streamEvents.change.data.properties, unknown> = {
      position,
      action,
      type: type && slugOf(type),
      id,
      version,
      fields: fields.map(snakeOf),
    };
    return Buffer.from(event(position, 'change', change));
  },
  end: (requestId, refusal) => Buffer.from(refusal ? refused(refusal, requestId) : `retry: ${retryAfter}\n\n`),
  // Heartbeats carry the position too, so that after a long silence a client continues from a recent one.
  heartbeat: (position) => Buffer.from(`:\nid: ${position}\n\n`),
};

const event = (position: number, name: string, data: object): string =>
  `id: ${position}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** It is not called `error`, because `EventSource` has an event of that name for lost connections. */
const refused = (refusal: GatewayError, requestId: string): string => {
  const name: keyof typeof streamEvents = 'refused';
  return `event: ${name}\ndata: ${toRestError(refusal, { requestId }).body}\n\n`;
};
