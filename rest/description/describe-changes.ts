/** `GET /api/changes`, the feed of all changes, which no record type has. */
import type { Deprecation } from '../../src/deprecation/deprecations.js';
import { changesText } from '../changes.js';
import { changesName } from '../operation-names.js';
import type { RestOperation } from '../operations.js';
import { changeParameters } from '../request/change-parameters.js';
import { describeDeprecation } from './describe-deprecation.js';
import { type DescribedOperation, describeParameter } from './describe-operation.js';
import { describeTwin, openInGraphiql } from './graphql-twin.js';
import { headerReferences, headersOfAnswers } from './headers.js';
import { refusalReferences } from './responses.js';

export function describeChanges(operations: readonly RestOperation[], deprecation?: Deprecation): DescribedOperation {
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  return {
    operationId: changesName,
    summary: 'List the changes of all records',
    ...describeDeprecation(changesName, deprecation, openInGraphiql(changesName)),
    tags: ['events'],
    security: [{ apiKey: [] }],
    parameters: changeParameters(resources).map(describeParameter),
    responses: {
      200: {
        description: 'A page of changes, the oldest first.',
        headers: headerReferences(headersOfAnswers(deprecation)),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ChangePage' } } },
      },
      ...refusalReferences([400, 401, 403, ...(deprecation?.sunset ? [410] : []), 429, 500, 503, 504]),
    },
    'x-extension': true,
    ...describeTwin({ name: changesName, document: changesText(), variables: {} }),
  };
}
