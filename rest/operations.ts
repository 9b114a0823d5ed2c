/**
 * Every REST endpoint with its GraphQL operation: the documented endpoints and our extensions. A document is parsed at
 * its first use, and validated then (`stored-documents.ts`), so that the start does not wait for documents that may
 * never be used.
 */
import { type DocumentNode, parse, print } from 'graphql';
import { capitalized } from '../src/model/names.js';
import type { Resource } from '../src/model/resource.js';
import { requiredScopes, type Scope } from '../src/model/scopes.js';
import { documentText, pastDocumentText } from './document-text.js';
import { type EndpointForm, endpointForm, type RestOperationKind } from './endpoint-form.js';
import { asOf } from './request/parameters.js';

export interface RestOperation extends Omit<EndpointForm, 'suffix'> {
  /** Such as `AssetRepairSubmit`; also the name of the GraphQL operation. */
  name: string;
  resource: Resource;
  operation: RestOperationKind;
  /** Such as `/api/assets/asset-repair/{id}/submit`. */
  path: string;
  /** Whether it is part of the legacy documentation; otherwise it is an extension. */
  documented: boolean;
  /** The scopes that a key needs, whatever the body contains. */
  scopes: readonly Scope[];
  readonly document: DocumentNode;
  /** The document with the variable `asOf`: the record and its lines as they were. Undefined for types without it. */
  readonly pastDocument: DocumentNode | undefined;
  /** The texts of these documents; printed at each call, because they are rarely needed. */
  readonly text: string;
  readonly pastText: string | undefined;
  readonly blindText: string;
  /** The document for a write with a key that may not read records: its answer holds only the id. */
  readonly blindDocument: DocumentNode;
}

export const createRestOperations = (resources: readonly Resource[]): RestOperation[] =>
  resources.flatMap((resource) => {
    const further = resource.kind === 'child' ? [] : (['history'] as const);
    return [...resource.operations, ...further].map((operation) => restOperation(resource, operation));
  });

function restOperation(resource: Resource, operation: RestOperationKind): RestOperation {
  const { suffix, ...form } = endpointForm(resource, operation);
  let document: DocumentNode | undefined;
  let pastDocument: DocumentNode | undefined;
  let blindDocument: DocumentNode | undefined;
  return {
    ...form,
    name: resource.model + capitalized(operation),
    resource,
    operation,
    path: resource.base + suffix,
    documented: resource.documented.some((each) => each === operation),
    scopes: requiredScopes(resource, operation === 'history' ? 'retrieve' : operation),
    get text() {
      return print(parse(documentText(resource, operation)));
    },
    get pastText() {
      return form.parameters.includes(asOf) ? print(parse(pastDocumentText(resource))) : undefined;
    },
    get blindText() {
      return form.method === 'GET' ? this.text : print(parse(documentText(resource, operation, 'id')));
    },
    get document() {
      document ??= parse(documentText(resource, operation), { noLocation: true });
      return document;
    },
    get pastDocument() {
      if (!form.parameters.includes(asOf)) return undefined;
      pastDocument ??= parse(pastDocumentText(resource), { noLocation: true });
      return pastDocument;
    },
    get blindDocument() {
      if (form.method === 'GET') return this.document;
      blindDocument ??= parse(documentText(resource, operation, 'id'), { noLocation: true });
      return blindDocument;
    },
  };
}
