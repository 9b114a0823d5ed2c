/** One endpoint as an operation of OpenAPI. */
import type { Deprecation } from '../../src/deprecation/deprecations.js';
import { withArticle } from '../../src/model/names.js';
import type { Resource } from '../../src/model/resource.js';
import type { RestOperationKind } from '../endpoint-form.js';
import type { RestOperation } from '../operations.js';
import type { Parameter } from '../request/parameters.js';
import { variablesOf } from '../request/variables.js';
import type { Schema } from '../schema.js';
import { type DescribedDeprecation, describeDeprecation } from './describe-deprecation.js';
import type { DescribedParameter } from './describe-parameter.js';
import { type Example, exampleBody, exampleChange } from './examples.js';
import { type DescribedTwin, describeTwin, type GraphqlTwin } from './graphql-twin.js';
import { answerSchemaName, bodySchemaName } from './record-schemas.js';
import { type Reference, type Response, refusalReferences, refusalStatuses, successResponses } from './responses.js';
import { parametersOf } from './shared-parameters.js';

export interface DescribedOperation extends DescribedDeprecation, DescribedTwin {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, readonly string[]>[];
  parameters?: (DescribedParameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example: unknown }> };
  responses: Record<string, Response | Reference>;
  'x-extension'?: true;
}

export function describeOperation(endpoint: RestOperation, deprecation?: Deprecation): DescribedOperation {
  const { name, operation, resource, scopes, documented } = endpoint;
  const body = exampleOfBody(endpoint);
  const schema = bodySchemaName(endpoint);
  return {
    operationId: name,
    summary: summaries[operation](resource),
    ...describeDeprecation(name, deprecation),
    tags: [resource.area],
    security: [{ apiKey: scopes }],
    parameters: parametersOf(endpoint),
    ...(schema && {
      requestBody: {
        required: endpoint.body?.required ?? false,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example: body } },
      },
    }),
    responses: {
      ...successResponses(endpoint, answerSchemaName(endpoint), deprecation),
      ...refusalReferences(refusalStatuses(endpoint, deprecation), endpoint.body !== undefined),
    },
    ...(!documented && { 'x-extension': true }),
    ...describeTwin(twinOf(endpoint)),
  };
}

/** The operation of an endpoint, with the variables of its example. */
export const twinOf = (endpoint: RestOperation): GraphqlTwin => ({
  name: endpoint.name,
  document: endpoint.text,
  variables: exampleVariables(endpoint, exampleOfBody(endpoint)),
});

const summaries: Record<RestOperationKind, (resource: Resource) => string> = {
  retrieve: ({ title }) => `Retrieve ${withArticle(title)}`,
  history: ({ title }) => `Retrieve the history of ${withArticle(title)}`,
  list: ({ title, kind }) => (kind === 'child' ? `List the ${title} lines of a record` : `List ${title} records`),
  create: ({ title }) => `Create ${withArticle(title)}`,
  update: ({ title }) => `Update ${withArticle(title)}`,
  delete: ({ title }) => `Delete ${withArticle(title)}`,
  submit: ({ title }) => `Submit ${withArticle(title)}`,
  cancel: ({ title }) => `Cancel ${withArticle(title)}`,
  reorder: ({ title }) => `Reorder the ${title} lines of a record`,
};

function exampleOfBody({
  operation,
  resource,
  parameters,
}: RestOperation): Record<string, Example | string[]> | undefined {
  if (operation === 'create') return exampleBody(resource);
  if (operation === 'update') return exampleChange(resource);
  if (operation !== 'reorder') return undefined;
  const parent = parameters.find(({ name }) => name === 'parent_id')?.example ?? '';
  return { parent_id: parent, ids: ['1', '2'].map((last) => `${resource.slug}_01kahzqe0v3m7c2f9x5w8yt4b${last}`) };
}

/** The variables of the call with the examples of all that is required. */
function exampleVariables(endpoint: RestOperation, body: Record<string, unknown> = {}): Record<string, unknown> {
  const given = endpoint.parameters.filter(({ required }) => required);
  const examplesIn = (place: Parameter['in']) =>
    given.filter((parameter) => parameter.in === place).map(({ name, example }) => [name, String(example ?? name)]);
  const [[, id] = [undefined, undefined]] = examplesIn('path');
  const query = new URLSearchParams(examplesIn('query'));
  return variablesOf(endpoint, { id, headers: {}, query, body }).variables;
}
