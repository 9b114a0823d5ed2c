/** One operation, before it is decided how it is written and sent. */
export interface Attempt {
  kind: 'query' | 'mutation' | 'subscription';
  field: string;
  /** Arguments of the field, by name. Their types are the schema's. */
  args: Record<string, unknown>;
  /** The selection of the field. */
  selection: string;
  /** Further fields of the operation. */
  beside: string;
  /** Further variables the operation declares. */
  declared: string;
  /** Further definitions of the document. */
  definitions: string;
  /** Members of the request that replace those of the way. */
  parameters: Record<string, unknown>;
  /** A body that replaces that of the way. */
  body?: string | Buffer;
  /** Whether it is missing in the list of trusted documents. */
  untrusted?: true;
  headers: Record<string, string>;
  key: KeyName;
}

/** One request to REST, before it is decided how it is sent. */
export interface RestCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query: Record<string, string>;
  body?: Record<string, unknown>;
}

/** The same with the additions of a way or a guard. */
export interface RestAttempt extends RestCall {
  /** A body that replaces `body`. */
  text?: string | Buffer;
  headers: Record<string, string>;
  key: KeyName;
}

/** The keys a gateway of the matrix has. */
export type KeyName = keyof typeof keys;

/** Their scopes. */
export const keys = {
  everything: ['*', 'admin'],
  'another area': ['crm:read', 'crm:write'],
  'reads only': ['assets:read'],
  'writes only': ['assets:write', 'assets:submit', 'assets:cancel', 'assets:delete', 'crm:write'],
  revoked: ['*', 'admin'],
  expired: ['*', 'admin'],
  unknown: [],
  none: [],
} as const;
