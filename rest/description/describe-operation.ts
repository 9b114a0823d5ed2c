/** One endpoint as an operation of OpenAPI. */
import type { ApiOperation, Parameter, Reference, Schema } from '../../src/gateway/api.js';
import { titleOf, withArticle } from '../../src/model/names.js';
import type { Resource } from '../../src/model/resource.js';
import {
  type AddedEndpoint,
  documentPath,
  type RestEndpoint,
  type RestOperation,
  type RestOperationKind,
} from '../endpoints.js';
import { idempotencyKey } from '../parameters.js';
import { variablesOf } from '../request.js';
import { type Example, exampleBody, exampleChange } from './examples.js';
import { answerSchemaName, bodySchemaName } from './record-schemas.js';
import { type Response, refusalReferences, refusalStatuses, successResponses } from './responses.js';

export interface DescribedOperation extends ApiOperation {
  tags: string[];
  security: Record<string, readonly string[]>[];
  parameters?: (DescribedParameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example: unknown }> };
  responses: Record<string, Response | Reference>;
  'x-extension'?: true;
  /** The document is served by itself, because all of them together are as long as the rest of the description. */
  'x-graphql-operation': { name: string; externalValue: string };
}

export function describeOperation(endpoint: RestEndpoint): DescribedOperation {
  if (!endpoint.resource) return describeOwn(endpoint);
  const { name, operation, resource, scopes, documented, parameters } = endpoint;
  const isRepeatable = operation === 'create' && parameters.includes(idempotencyKey);
  const body = exampleOfBody(endpoint);
  const schema = bodySchemaName(endpoint);
  return {
    operationId: name,
    summary: summaries[operation](resource),
    description: isRepeatable ? `${explanations.create} ${repeatable}` : explanations[operation],
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
      ...successResponses(endpoint, answerSchemaName(endpoint)),
      ...refusalReferences(refusalStatuses(endpoint), endpoint.body !== undefined),
    },
    ...(!documented && { 'x-extension': true }),
    ...describeTwin(name),
  };
}

/** An endpoint that no record type has. */
function describeOwn(endpoint: AddedEndpoint): DescribedOperation {
  const { name, scopes, status, summary, description, answer, stream } = endpoint;
  const content = { [stream ? 'text/event-stream' : 'application/json']: { schema: answer.schema } };
  return {
    operationId: name,
    summary,
    description,
    tags: ['events'],
    security: [{ apiKey: scopes }],
    parameters: parametersOf(endpoint),
    responses: {
      [status]: { description: answer.description, content },
      ...refusalReferences(refusalStatuses(endpoint)),
    },
    'x-extension': true,
    ...describeTwin(name),
  };
}

/** The operation of an endpoint, with the variables of its example. */
export const twinOf = (endpoint: RestEndpoint) => ({
  name: endpoint.name,
  document: endpoint.text,
  variables: endpoint.resource ? exampleVariables(endpoint, exampleOfBody(endpoint)) : {},
});

/** `Asset Repair` → `asset repair`, as in a sentence; abbreviations such as UOM keep their letters. */
const inSentence = (title: string): string => title.replace(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());

const one = ({ title, kind }: Resource): string =>
  kind === 'singleton' ? `the ${inSentence(title)}` : inSentence(withArticle(title)).replace(/ details$/, ' detail');

/** Lines have the name of their parent before theirs: `Asset Repair Consumed Items`. */
function many({ plural, parents: [parent] }: Resource): string {
  const title = titleOf(plural).replace(/ Details List$/, ' Details');
  const prefix = parent ? `${parent.resource.title} ` : '';
  return parent && title.startsWith(prefix) ? `the ${inSentence(title.slice(prefix.length))}` : inSentence(title);
}

const ofParent = ({ parents: [parent] }: Resource): string => (parent ? one(parent.resource) : 'a record');

const summaries: Record<RestOperationKind, (resource: Resource) => string> = {
  retrieve: (resource) => `Retrieve ${one(resource)}`,
  history: (resource) => `Retrieve the history of ${one(resource)}`,
  list: (resource) => `List ${many(resource)}${resource.kind === 'child' ? ` of ${ofParent(resource)}` : ''}`,
  create: (resource) => `Create ${one(resource)}`,
  update: (resource) => `Update ${one(resource)}`,
  delete: (resource) => `Delete ${one(resource)}`,
  submit: (resource) => `Submit ${one(resource)}`,
  cancel: (resource) => `Cancel ${one(resource)}`,
  reorder: (resource) => `Reorder ${many(resource)} of ${ofParent(resource)}`,
};

const explanations: Record<RestOperationKind, string> = {
  retrieve: 'All fields of one record, and its version as `ETag`.',
  history: 'Who changed the record when, and what, the newest version first.',
  list: 'A page, with the number of records of the whole list.',
  create: 'Fields that are left out get their defaults.',
  update:
    'Changes the fields in the body and no other; `null` sets a field to its default. Its type may also be `application/merge-patch+json`.',
  delete: 'The record is gone for good, and its lines with it.',
  submit: 'From `draft` to `submitted`.',
  cancel: 'From `submitted` to `cancelled`.',
  reorder: 'Names every line once, in the new order.',
};

const repeatable = 'With an `Idempotency-Key` it can be sent again safely.';

function exampleOfBody({
  operation,
  resource,
  parameters,
}: RestOperation): Record<string, Example | readonly string[]> | undefined {
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

const parametersOf = ({ parameters }: RestEndpoint): (DescribedParameter | Reference)[] =>
  parameters.map((parameter) => {
    const { shared } = parameter;
    return shared ? { $ref: `#/components/parameters/${shared}` } : describeParameter(parameter);
  });

export function parameterComponents(endpoints: readonly RestEndpoint[]): Record<string, DescribedParameter> {
  const found: Record<string, DescribedParameter> = {};
  for (const endpoint of endpoints)
    for (const parameter of endpoint.parameters)
      if (parameter.shared) found[parameter.shared] ??= describeParameter(parameter);
  return found;
}

interface DescribedParameter extends Omit<Parameter, 'shared' | 'variable' | 'read' | 'required'> {
  required: boolean;
  /** Headers are not part of the legacy documentation. */
  'x-extension'?: true;
}

const describeParameter = ({
  name,
  in: place,
  required = false,
  explode,
  description,
  schema,
  example,
}: Parameter): DescribedParameter => ({
  name,
  in: place,
  required,
  ...(explode === false && { explode }),
  description,
  schema,
  ...(example !== undefined && { example }),
  ...(place === 'header' && { 'x-extension': true }),
});

/** The address of the document is relative to that of the description. */
const describeTwin = (name: string) => ({
  'x-graphql-operation': { name, externalValue: documentPath(name).slice(1) },
});
