import type { IncomingHttpHeaders } from 'node:http';

/** A request to the REST surface, read but not understood. */
export interface RestRequest {
  method: string;
  /** Without the query, as it was sent: not decoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The bytes of the body, of a bounded number; undefined where there is none. */
  body: Buffer | undefined;
}

/** The whole answer. */
export interface RestResponse {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
  /** The body is `Bytes`. */
  isBytes?: boolean;
}
