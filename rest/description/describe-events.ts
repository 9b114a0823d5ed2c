/** `GET /api/events`, the stream of changes, which no record type has. */
import type { Deprecation } from '../../src/features/usage/deprecations.js';
import { changeActions } from '../../src/model/change.js';
import { streamEvents } from '../event-format.js';
import { eventsName } from '../operation-names.js';
import type { RestOperation } from '../operations.js';
import { listParameter } from '../request/change-parameters.js';
import type { Parameter } from '../request/parameters.js';
import { describeDeprecation } from './describe-deprecation.js';
import type { DescribedOperation } from './describe-operation.js';
import { describeParameter } from './describe-parameter.js';
import { describeTwin } from './graphql-twin.js';
import { headerReferences, ofDeprecated } from './headers.js';
import { refusalReferences } from './responses.js';

export function describeEvents(operations: readonly RestOperation[], deprecation?: Deprecation): DescribedOperation {
  const slugs = [...new Set(operations.map(({ resource }) => resource.slug))];
  return {
    operationId: eventsName,
    summary: 'Follow the changes of records as they happen',
    ...describeDeprecation(
      eventsName,
      deprecation,
      `Server-sent events, as \`EventSource\` reads them, with JSON as their \`data\`:\n\n${eventList}`,
    ),
    tags: ['events'],
    security: [{ apiKey: [] }],
    parameters: parametersOf(slugs).map(describeParameter),
    responses: {
      200: {
        description: 'The stream of events.',
        ...(deprecation && { headers: headerReferences(ofDeprecated) }),
        content: { 'text/event-stream': { schema: { type: 'string', 'x-events': streamEvents } } },
      },
      ...refusalReferences([400, 406, ...(deprecation?.sunset ? [410] : [])]),
    },
    'x-extension': true,
    ...describeTwin(eventsName),
  };
}

const parametersOf = (slugs: readonly string[]): Parameter[] => [
  listParameter('types', 'Only changes of these record types, separated by commas.', slugs),
  listParameter('actions', 'Only these changes, separated by commas.', changeActions),
  {
    ...position,
    name: 'after',
    in: 'query',
    description: 'The position after which to begin: that of the last event you know.',
  },
  {
    ...position,
    name: 'Last-Event-ID',
    in: 'header',
    description: 'As `after`; browsers send it by themselves after a break.',
  },
];

const eventList = Object.entries(streamEvents)
  .map(([name, { description }]) => `- \`${name}\`: ${description}`)
  .join('\n');

/** No example: each journal has its own positions. */
const position = { required: false, schema: { type: 'string', pattern: '^\\d{1,16}$' } } as const;
