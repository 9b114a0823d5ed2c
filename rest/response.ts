import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../src/change/context.js';
import type { Route } from './route.js';

/** A REST request: its body is read but not yet parsed. */
export interface RestRequest {
  method: string;
  /** The endpoint that the method and the path mean. */
  route: Route;
  /** Without the query, not decoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** At most `BODY_LIMIT` bytes; undefined where there is none. */
  body: Buffer | undefined;
}

/** A complete REST response. */
export interface RestResponse {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whether the body is `Bytes`, with one character for each byte. */
  isBytes?: boolean;
}

/** Where clients find a path of the gateway: they may reach it below a path of a proxy, which only PUBLIC_URL says. */
export const publicAddress = ({ publicUrl = '' }: Pick<RequestContext, 'publicUrl'>, path: string): string =>
  publicUrl + path;
