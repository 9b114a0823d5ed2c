/**
 * `GET /api/events?types=…&actions=…&after=…`: the subscription `changes` for clients of REST. `Last-Event-ID`, which
 * browsers send by themselves after a break, takes the place of `after`.
 */
import { type GraphQLSchema, parse, print } from 'graphql';
import { noteOperation } from '../src/change/observation.js';
import { recoverWith, whenResolved } from '../src/common/maybe-promise.js';
import type { Calls } from '../src/gateway/call.js';
import type { Joined } from '../src/gateway/feature.js';
import { EventStream, type Streams } from '../src/gateway/http/answer/event-stream.js';
import { accepts } from '../src/gateway/http/answer/headers.js';
import { send } from '../src/gateway/http/answer/send.js';
import type { Visit } from '../src/gateway/http/visit.js';
import type { Admission } from '../src/graphql/operation/admission.js';
import { watchable } from '../src/graphql/operation/stream-root.js';
import { errors } from '../src/model/errors/errors.js';
import { enumName } from '../src/model/names.js';
import { createStoredDocuments } from './admit.js';
import { operationHeader } from './endpoint-headers.js';
import { refuseRest } from './errors.js';
import { restEvents } from './event-format.js';
import { explanationOf, requireExplainValue } from './explain.js';
import { eventsName } from './operations.js';
import { asksToExplain, eventParameters } from './request/event-parameters.js';
import { queryOf } from './request/variables.js';

export const eventsPath = '/api/events';

export interface EventsParts {
  schema: GraphQLSchema;
  admission: Admission;
  calls: Calls;
  streams: Streams;
  joined: Pick<Required<Joined>, 'called' | 'refusal'>;
}

/** Adds the stream of events; `rest` answers every other path. */
export function withEvents(rest: (visit: Visit) => void, parts: EventsParts): (visit: Visit) => void {
  const { schema, admission, calls, streams, joined } = parts;
  const storedDocumentOf = createStoredDocuments(schema);
  const resources = watchable(schema);
  const typeOf = new Map(resources.map(({ slug, model }) => [slug, enumName(model)]));

  const events: (visit: Visit) => void = (visit) => {
    const { request } = visit;
    visit.isRead = true;
    const begin = () =>
      whenResolved(calls.enter(visit), (arrival) => {
        if (request.method === 'OPTIONS') {
          return send(visit, { status: 204, headers: { Allow: methods }, body: undefined });
        }
        if (request.method !== 'GET') {
          visit.headers.push('Allow', methods);
          throw errors.badRequest('method_not_allowed');
        }
        const query = queryOf(request.url ?? '/', visit.path);
        visit.headers.push(operationHeader, eventsName);
        const isExplained = asksToExplain({ query });
        noteOperation(visit.observation, { name: eventsName, kind: isExplained ? 'query' : 'subscription' });
        joined.called(eventsName, arrival, { request, visit, query });
        if (isExplained) requireExplainValue({ query });
        else if (!accepts(request.headers.accept, 'text/event-stream')) {
          throw errors.badRequest('not_acceptable', 'Events are sent as a stream: accept text/event-stream.');
        }
        const { after, ...variables } = eventParameters(request.headers, query, typeOf);
        const admitted = calls.work(arrival, ({ identity }) => ({
          subscription: admission.subscriptionFromStored(storedDocumentOf(eventsName, eventsDocument), variables),
          identity,
        }));
        return whenResolved(admitted, ({ subscription, identity }) => {
          if (isExplained) {
            streams.requireAllowed(subscription, identity);
            return send(visit, explanationOf(names, subscription, { way: 'resolvers' }, arrival));
          }
          const begin = () => new EventStream(visit, restEvents);
          // A stream lives longer than a call, so it may still be open when the endpoint ends.
          const refusal = () => joined.refusal(eventsName, arrival);
          return streams.subscribe({ subscription, arrival, identity, format: restEvents, after, begin, refusal });
        });
      });
    recoverWith<void>(begin, (error) => refuseRest(visit, error));
  };

  return (visit) => (visit.path === eventsPath ? events(visit) : rest(visit));
}

const methods = 'GET, OPTIONS';

const names = { endpoint: `GET ${eventsPath}`, operation: eventsName };

const eventsDocument = parse(`subscription Events($types: [RecordType!], $actions: [ChangeAction!]) {
  changes(types: $types, actions: $actions) { notice action type recordId version fields }
}`);

/** The text of the operation. */
export const eventsText = (): string => print(eventsDocument);
