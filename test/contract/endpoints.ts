/** The endpoints of 4.1 to 4.5, and the decided ones, as method and path. */
import { decidedOperations } from './decided.js';
import { type DocumentedOperation, type DocumentedResource, documentedResources } from './document.js';

export interface Endpoint {
  resource: DocumentedResource;
  operation: DocumentedOperation;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/api/assets/asset-repair/{id}` */
  path: string;
}

const forms: Record<DocumentedOperation, { method: Endpoint['method']; suffix: string }> = {
  retrieve: { method: 'GET', suffix: '/{id}' },
  list: { method: 'GET', suffix: '' },
  create: { method: 'POST', suffix: '' },
  update: { method: 'PATCH', suffix: '/{id}' },
  delete: { method: 'DELETE', suffix: '/{id}' },
  submit: { method: 'POST', suffix: '/{id}/submit' },
  cancel: { method: 'POST', suffix: '/{id}/cancel' },
  reorder: { method: 'POST', suffix: '/reorder' },
};

/** The 197 endpoints the document prints. */
export const documentedEndpoints: readonly Endpoint[] = documentedResources.flatMap((resource) =>
  resource.operations.map((operation) => endpointOf(resource, operation)),
);

/** The endpoints that were added where the document says "not shown". */
export const decidedEndpoints: readonly Endpoint[] = documentedResources.flatMap((resource) =>
  decidedOperations(resource).map((operation) => endpointOf(resource, operation)),
);

function endpointOf(resource: DocumentedResource, operation: DocumentedOperation): Endpoint {
  const { method, suffix } = forms[operation];
  const path = resource.kind === 'singleton' && operation === 'retrieve' ? '' : suffix;
  return { resource, operation, method, path: resource.base + path };
}
