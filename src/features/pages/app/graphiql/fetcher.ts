/** How GraphiQL asks the gateway: with the key of all pages. */
import { createClient } from 'graphql-sse';
import { endpoint } from '../api/graphql.js';
import { jsonOf, reach } from '../api/reach.js';
import { currentSession } from '../session/session.js';
import { loadSchema } from './load-schema.js';
import { namesIdItself, newestDraft } from './newest-draft.js';

interface Parameters {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

interface Options {
  /** What is typed into the tab Headers. */
  headers?: Record<string, string>;
}

export async function fetcher(given: Parameters, { headers = {} }: Options = {}) {
  if (given.operationName === 'IntrospectionQuery') return loadSchema();
  const { kind, name } = operationOf(given);
  const parameters = { ...given, operationName: name };
  const session = currentSession();
  const authorization: Record<string, string> =
    session.status === 'in' ? { Authorization: `Bearer ${session.key}` } : {};
  const sent = { ...authorization, ...headers };
  if (kind === 'subscription') return subscribe(parameters, sent);
  if (session.status === 'in' && namesIdItself(parameters.query, parameters.operationName, parameters.variables)) {
    const id = await newestDraft(session.key);
    if (!id) return { errors: [{ message: 'There is no draft to do this with. Run the tab CreateWithLines first.' }] };
    return post({ ...parameters, variables: { ...parameters.variables, id } }, sent);
  }
  return post(parameters, sent);
}

async function post(parameters: Parameters, headers: Record<string, string>): Promise<unknown> {
  const response = await reach(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify(parameters),
  });
  return jsonOf(response);
}

function subscribe(parameters: Parameters, headers: Record<string, string>) {
  const client = createClient({ url: endpoint, headers, retryAttempts: 3, fetchFn: fetchStream });
  const { query, operationName, variables } = parameters;
  return client.iterate({ query, operationName: operationName ?? undefined, variables: variables ?? undefined });
}

/**
 * A refusal is shown like that of every other operation, as the only event of a stream that ends at once: the client would
 * ask for the stream again and again, and say nothing meanwhile. What the gateway cannot do now is asked for again.
 */
async function fetchStream(address: string, init: RequestInit): Promise<Response> {
  const response = await reach(address, init);
  if (response.ok || response.status >= 500) return response;
  const refusal = JSON.stringify(await jsonOf(response));
  const headers = { 'Content-Type': 'text/event-stream' };
  return new Response(`event: next\ndata: ${refusal}\n\nevent: complete\ndata:\n\n`, { headers });
}

/**
 * The operation that runs. GraphiQL notices late which one is in the editor: just after a tab was opened it still gives
 * the name of the operation in the tab before, of which this document knows nothing. Where it holds one operation, that
 * is meant; among several, none is chosen here.
 */
function operationOf({ query, operationName }: Parameters): { kind?: string; name?: string } {
  const operations = [...query.matchAll(/\b(query|mutation|subscription)\b\s*(\w*)[^{}]*\{/g)];
  const [first, ...others] = operations;
  const [, kind, name] = operations.find(([, , each]) => each === operationName) ?? first ?? [];
  return { kind, name: others.length > 0 ? (operationName ?? undefined) : name || undefined };
}
