/** The examples of a page of the documentation, in their order. */

export type Example = OperationExample | RequestExample;

export interface OperationExample {
  kind: 'operation';
  name: string;
  query: string;
  /** JSON in which `$id` and its like stand for what was answered before. */
  variables: string;
  isRefused: boolean;
  shown: unknown;
}

export interface RequestExample {
  kind: 'request';
  name: string;
  request: string;
  answer: string;
}

const operation =
  /```graphql\n([\s\S]*?)```\n\n```json variables\n([\s\S]*?)```\n\n[^`]*```json( errors)?\n([\s\S]*?)```/;
const request = /```http\n([\s\S]*?)```\n\n```http answer\n([\s\S]*?)```/;

export function examplesOf(page: string): Example[] {
  return [...page.matchAll(new RegExp(`${operation.source}|${request.source}`, 'g'))].map((match, index) => {
    const [, query, variables = '', isRefused, shown = '', sent = '', answer = ''] = match;
    if (query === undefined)
      return { kind: 'request', name: `${index}: ${sent.split('\n')[0]}`, request: sent, answer };
    const name = /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
    return { kind: 'operation', name, query, variables, isRefused: Boolean(isRefused), shown: JSON.parse(shown) };
  });
}

/** Pieces of client code, one line each as it is but for its indentation. */
export function snippetsOf(page: string): string[][] {
  return [...page.matchAll(/```(?:ts|js)\n([\s\S]*?)```/g)].map(([, code = '']) => linesOf(code));
}

export const linesOf = (code: string): string[] =>
  code
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A request or an answer as it is written: its first line, its headers, and the body. */
export function messageOf(text: string): { first: string; headers: Record<string, string>; body: string } {
  const [first = '', ...rest] = text.trim().split('\n');
  const start = rest.findIndex((line) => line.startsWith('{'));
  const headers = start < 0 ? rest : rest.slice(0, start);
  return {
    first,
    headers: Object.fromEntries(headers.map((line) => line.split(/: (.*)/).slice(0, 2))),
    body: start < 0 ? '' : rest.slice(start).join('\n'),
  };
}
