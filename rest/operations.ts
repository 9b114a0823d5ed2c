/**
 * Every REST endpoint with its GraphQL operation: the documented endpoints and our extensions. A document is parsed at
 * its first use, and validated then (`stored-documents.ts`), so that no start waits for those nobody asks for.
 */
import { type DocumentNode, parse } from 'graphql';
import { requiredScopes, type Scope } from '../src/access/scopes.js';
import type { RecordOperation } from '../src/catalogue.js';
import type { Resource } from '../src/model/resource.js';
import { documentText } from './document.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface RestOperation {
  /** Such as `AssetRepairSubmit`; also the name of the GraphQL operation. */
  name: string;
  resource: Resource;
  operation: RecordOperation;
  method: Method;
  /** Such as `/api/assets/asset-repair/{id}/submit`. */
  path: string;
  /** The status of a successful response. */
  status: 200 | 201;
  /** Whether it is part of the legacy documentation; otherwise it is an extension. */
  documented: boolean;
  /** The scopes that a key needs, whatever the body contains. */
  scopes: readonly Scope[];
  /** Whether the operation reads a JSON body. */
  takesBody: boolean;
  readonly document: DocumentNode;
  /** The document for a write with a key that may not read records: its answer holds only the id. */
  readonly blindDocument: DocumentNode;
}

const endpoints: Record<RecordOperation, { method: Method; suffix: string }> = {
  retrieve: { method: 'GET', suffix: '/{id}' },
  list: { method: 'GET', suffix: '' },
  create: { method: 'POST', suffix: '' },
  update: { method: 'PATCH', suffix: '/{id}' },
  delete: { method: 'DELETE', suffix: '/{id}' },
  submit: { method: 'POST', suffix: '/{id}/submit' },
  cancel: { method: 'POST', suffix: '/{id}/cancel' },
  reorder: { method: 'POST', suffix: '/reorder' },
};

export const createRestOperations = (resources: readonly Resource[]): RestOperation[] =>
  resources.flatMap((resource) => resource.operations.map((operation) => restOperation(resource, operation)));

function restOperation(resource: Resource, operation: RecordOperation): RestOperation {
  const { method, suffix } = endpoints[operation];
  let document: DocumentNode | undefined;
  let blindDocument: DocumentNode | undefined;
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
    get document() {
      document ??= parse(documentText(resource, operation), { noLocation: true });
      return document;
    },
    get blindDocument() {
      if (method === 'GET') return this.document;
      blindDocument ??= parse(documentText(resource, operation, 'id'), { noLocation: true });
      return blindDocument;
    },
  };
}
