import { request as httpRequest } from 'node:http';
import { requireDescribed } from '../support/described-answers.js';
import { ignoreLateErrors } from '../support/ended-connections.js';
import type { TestGateway } from '../support/gateway.js';

export interface RawRequest {
  method: string;
  /** As it is sent on the wire: `fetch` would normalise it. */
  path: string;
  body?: string | Buffer | undefined;
  headers?: Record<string, string> | undefined;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body as it came. */
  text: string;
}

/** Sends a request byte for byte, with the gateway's key; a body is announced as JSON unless `headers` say otherwise. */
export function rawRequest(
  { url, key }: Pick<TestGateway, 'url' | 'key'>,
  { method, path, body, headers = {} }: RawRequest,
): Promise<RawAnswer> {
  const announced: Record<string, string | number> = {};
  if (body !== undefined) announced['content-type'] = 'application/json';
  // Node announces no length of the body of a GET.
  if (body !== undefined && !('transfer-encoding' in headers)) announced['content-length'] = Buffer.byteLength(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method,
      path,
      headers: { authorization: `Bearer ${key}`, ...announced, ...headers },
    });
    request.on('error', reject);
    ignoreLateErrors(request);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const text = Buffer.concat(chunks).toString();
        try {
          requireDescribed({ method, path, status, headers, text, body: bodyOf(headers, text) });
          resolve({ status, headers, text });
        } catch (error) {
          reject(error);
        }
      });
    });
    request.end(body);
  });
}

const bodyOf = ({ 'content-type': type = '' }: RawAnswer['headers'], text: string): unknown =>
  /json/.test(String(type)) && text ? JSON.parse(text) : undefined;
