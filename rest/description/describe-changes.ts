/** `GET /api/changes`, the feed of all changes, which no record type has. */
import { print } from 'graphql';
import { changeParameters } from '../change-parameters.js';
import { changesDocument } from '../changes.js';
import type { RestOperation } from '../operations.js';
import { type DescribedOperation, describeParameter } from './describe-operation.js';
import { headerReferences, ofEveryAnswer } from './headers.js';
import { refusalReferences } from './responses.js';

export function describeChanges(operations: readonly RestOperation[]): DescribedOperation {
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  return {
    operationId: 'Changes',
    summary: 'List the changes of all records',
    tags: ['events'],
    security: [{ apiKey: [] }],
    parameters: changeParameters(resources).map(describeParameter),
    responses: {
      200: {
        description: 'A page of changes, the oldest first.',
        headers: headerReferences(ofEveryAnswer),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ChangePage' } } },
      },
      ...refusalReferences([400, 401, 403, 413, 415, 429, 500, 503, 504]),
    },
    'x-extension': true,
    'x-graphql-operation': { name: 'Changes', document: print(changesDocument), variables: {} },
  };
}
