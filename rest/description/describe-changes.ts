/** `GET /api/changes`, the feed of all changes, which no record type has. */
import type { Deprecation } from '../../src/features/usage/deprecations.js';
import { changesName } from '../operation-names.js';
import type { RestOperation } from '../operations.js';
import { changeParameters } from '../request/change-parameters.js';
import { describeDeprecation } from './describe-deprecation.js';
import type { DescribedOperation } from './describe-operation.js';
import { describeParameter } from './describe-parameter.js';
import { describeTwin } from './graphql-twin.js';
import { headerReferences, ofDeprecated } from './headers.js';
import { refusalReferences } from './responses.js';

export function describeChanges(operations: readonly RestOperation[], deprecation?: Deprecation): DescribedOperation {
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  return {
    operationId: changesName,
    summary: 'List the changes of all records',
    ...describeDeprecation(
      changesName,
      deprecation,
      'All changes that the key may read, in the order in which they became visible.',
    ),
    tags: ['events'],
    security: [{ apiKey: [] }],
    parameters: changeParameters(resources).map(describeParameter),
    responses: {
      200: {
        description: 'A page of changes, the oldest first.',
        ...(deprecation && { headers: headerReferences(ofDeprecated) }),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ChangeList' } } },
      },
      ...refusalReferences([400, ...(deprecation?.sunset ? [410] : [])]),
    },
    'x-extension': true,
    ...describeTwin(changesName),
  };
}
