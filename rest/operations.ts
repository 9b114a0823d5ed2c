/**
 * Every REST endpoint, each with the GraphQL operation it is translated into: those the document prints (document 4.1
 * to 4.5) and the extensions. Made, parsed and later validated once, when the process starts.
 */
import { type DocumentNode, parse } from 'graphql';
import { requiredScopes, type Scope } from '../src/access/scopes.js';
import type { Operation } from '../src/catalogue.js';
import { type Resource, resources } from '../src/model/resource.js';
import { documentText } from './document.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface RestOperation {
  /** `AssetRepairSubmit`; the GraphQL operation's name too. */
  name: string;
  resource: Resource;
  operation: Operation;
  method: Method;
  /** `/api/assets/asset-repair/{id}/submit` */
  path: string;
  /** Status of success. */
  status: 200 | 201;
  /** Printed in the document; the others are extensions. */
  documented: boolean;
  /** What a key needs for it, whatever the body says. */
  scopes: readonly Scope[];
  /** Whether the request carries a JSON body that is read. */
  takesBody: boolean;
  document: DocumentNode;
  /** The same for a write by a key that may not read records: of the record it answers with the id alone. */
  blindDocument: DocumentNode;
}

const endpoints: Record<Operation, { method: Method; suffix: string }> = {
  retrieve: { method: 'GET', suffix: '/{id}' },
  list: { method: 'GET', suffix: '' },
  create: { method: 'POST', suffix: '' },
  update: { method: 'PATCH', suffix: '/{id}' },
  delete: { method: 'DELETE', suffix: '/{id}' },
  submit: { method: 'POST', suffix: '/{id}/submit' },
  cancel: { method: 'POST', suffix: '/{id}/cancel' },
  reorder: { method: 'POST', suffix: '/reorder' },
};

export const restOperations: readonly RestOperation[] = resources.flatMap((resource) =>
  resource.operations.map((operation) => restOperation(resource, operation)),
);

function restOperation(resource: Resource, operation: Operation): RestOperation {
  const { method, suffix } = endpoints[operation];
  const document = parse(documentText(resource, operation), { noLocation: true });
  const isSingletonRead = resource.kind === 'singleton' && operation === 'retrieve';
  return {
    name: resource.model + operation.charAt(0).toUpperCase() + operation.slice(1),
    resource,
    operation,
    method,
    path: resource.base + (isSingletonRead ? '' : suffix),
    status: operation === 'create' ? 201 : 200,
    documented: resource.documented.includes(operation),
    scopes: requiredScopes(resource, operation),
    takesBody: operation === 'create' || operation === 'update' || operation === 'reorder',
    document,
    blindDocument: method === 'GET' ? document : parse(documentText(resource, operation, 'id'), { noLocation: true }),
  };
}
