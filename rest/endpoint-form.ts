/** What the endpoints of each operation have in common: method, path, parameters, body and answers. */
import type { RecordOperation } from '../src/model/catalogue.js';
import type { Resource } from '../src/model/resource.js';
import { type BodyForm, createBody, orderBody, updateBody } from './request/body-form.js';
import {
  afterVersion,
  asOf,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  limit,
  mostVersions,
  offset,
  type Parameter,
  parentOfList,
  parentOfOrder,
  recordId,
} from './request/parameters.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What can be done with a record over REST. */
export type RestOperationKind = RecordOperation | 'history';

export interface EndpointForm {
  method: Method;
  /** The path after the base of the resource. */
  suffix: string;
  parameters: readonly Parameter[];
  body?: BodyForm;
  /** The status of a successful response. */
  status: 200 | 201;
  /** What a successful response holds. */
  answers: 'record' | 'page' | 'deletion' | 'history';
}

/** The form of an operation's endpoint. */
export const endpointForm = (resource: Resource, operation: RestOperationKind): EndpointForm =>
  forms[operation](resource);

const forms: Record<RestOperationKind, (resource: Resource) => EndpointForm> = {
  retrieve: (resource) => ({
    method: 'GET',
    ...(resource.kind === 'singleton'
      ? { suffix: '', parameters: [asOf, ifNoneMatch] }
      : {
          suffix: '/{id}',
          parameters: [recordId(resource), ...(resource.kind === 'child' ? [] : [asOf]), ifNoneMatch],
        }),
    status: 200,
    answers: 'record',
  }),
  history: (resource) => ({
    method: 'GET',
    suffix: '/{id}/history',
    parameters: [recordId(resource), mostVersions, afterVersion],
    status: 200,
    answers: 'history',
  }),
  list: (resource) => ({
    method: 'GET',
    suffix: '',
    parameters: [limit, offset, ...(resource.kind === 'child' ? [parentOfList(resource)] : [])],
    status: 200,
    answers: 'page',
  }),
  create: (resource) => ({
    method: 'POST',
    suffix: '',
    parameters: [idempotencyKey],
    body: createBody(resource),
    status: 201,
    answers: 'record',
  }),
  update: (resource) => ({
    method: 'PATCH',
    suffix: '/{id}',
    parameters: [recordId(resource), ifMatch],
    body: updateBody(resource),
    status: 200,
    answers: 'record',
  }),
  delete: (resource) => ({
    method: 'DELETE',
    suffix: '/{id}',
    parameters: [recordId(resource), ifMatch],
    status: 200,
    answers: 'deletion',
  }),
  submit: (resource) => transition(resource, '/{id}/submit'),
  cancel: (resource) => transition(resource, '/{id}/cancel'),
  reorder: (resource) => ({
    method: 'POST',
    suffix: '/reorder',
    parameters: [parentOfOrder(resource), idempotencyKey],
    body: orderBody,
    status: 200,
    answers: 'page',
  }),
};

const transition = (resource: Resource, suffix: string): EndpointForm => ({
  method: 'POST',
  suffix,
  parameters: [recordId(resource), ifMatch, idempotencyKey],
  status: 200,
  answers: 'record',
});
