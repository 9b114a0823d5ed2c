/** Calls of an operation, before it is decided in which form they are written and sent. */
import type { KeyName } from './keys.js';

/** A call of a field of GraphQL. */
export interface GraphqlCall {
  kind: 'query' | 'mutation' | 'subscription';
  field: string;
  /** Arguments of the field, by name. Their types are the schema's. */
  args: Record<string, unknown>;
  /** The selection of the field. */
  selection: string;
  /** Further fields of the operation. */
  beside: string;
  /** Further variables that the operation declares. */
  declared: string;
  /** Further definitions of the document. */
  definitions: string;
  /** Members of the request that replace those of the variant. */
  parameters: Record<string, unknown>;
  /** A body that replaces that of the variant. */
  body?: string | Buffer;
  /** Whether it is missing in the list of trusted documents. */
  untrusted?: true;
  headers: Record<string, string>;
  key: KeyName;
}

/** A call of an endpoint of REST. */
export interface RestCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query: Record<string, string>;
  body?: Record<string, unknown>;
}

/** The same with the headers and the key with which it is sent. */
export interface PreparedRestCall extends RestCall {
  /** A body that replaces `body`. */
  text?: string | Buffer;
  headers: Record<string, string>;
  key: KeyName;
}
