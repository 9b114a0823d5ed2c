/** One operation as its caller means it, before it is decided how it is spelled and sent. */
export interface Attempt {
  kind: 'query' | 'mutation' | 'subscription';
  field: string;
  /** Arguments of the field, by name. Their types are the schema's. */
  args: Record<string, unknown>;
  /** What is selected of the field. */
  selection: string;
  /** Further fields of the operation. */
  beside: string;
  /** Further variables the operation declares. */
  declared: string;
  /** Further definitions of the document. */
  definitions: string;
  /** Members of the request in place of those that the way would send. */
  parameters: Record<string, unknown>;
  /** The whole body in place of the one that the way would send. */
  body?: string | Buffer;
  /** Left out of the list of trusted documents. */
  untrusted?: true;
  headers: Record<string, string>;
  key: KeyName;
}

/** One request to REST, as its caller means it. */
export interface RestCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query: Record<string, string>;
  body?: Record<string, unknown>;
}

/** The same with what a way or a guard adds. */
export interface RestAttempt extends RestCall {
  /** The whole body in place of `body`. */
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
