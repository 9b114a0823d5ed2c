/** How GraphiQL asks the gateway: with the key of all pages. */
import { createClient } from 'graphql-sse';
import { endpoint } from '../api/graphql.js';
import { addressOf } from '../place.js';
import { currentSession } from '../session/session.js';
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

export async function fetcher(parameters: Parameters, { headers = {} }: Options = {}) {
  if (parameters.operationName === 'IntrospectionQuery') return loadSchema();
  const session = currentSession();
  const authorization: Record<string, string> =
    session.status === 'in' ? { Authorization: `Bearer ${session.key}` } : {};
  const sent = { ...authorization, ...headers };
  if (isSubscription(parameters)) return subscribe(parameters, sent);
  if (session.status === 'in' && namesIdItself(parameters.query, parameters.operationName, parameters.variables)) {
    const id = await newestDraft(session.key);
    if (!id) return { errors: [{ message: 'There is no draft to do this with. Run the tab "create" first.' }] };
    return post({ ...parameters, variables: { ...parameters.variables, id } }, sent);
  }
  return post(parameters, sent);
}

async function post(parameters: Parameters, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify(parameters),
  });
  return response.json();
}

/** The whole schema, which the browser keeps and only asks whether it is still the same. */
async function loadSchema(): Promise<unknown> {
  const response = await fetch(addressOf('pages/introspection.json'));
  if (!response.ok) throw new Error(`The schema could not be loaded: the gateway answered ${response.status}.`);
  return response.json();
}

function subscribe(parameters: Parameters, headers: Record<string, string>) {
  const client = createClient({ url: endpoint, headers, retryAttempts: 3 });
  const { query, operationName, variables } = parameters;
  return client.iterate({ query, operationName: operationName ?? undefined, variables: variables ?? undefined });
}

/** Whether the operation that runs is a subscription. Another in the same document is of no account. */
function isSubscription({ query, operationName }: Parameters): boolean {
  const roots = [...query.matchAll(/^\s*(query|mutation|subscription)\b\s*(\w*)/gm)];
  const chosen = roots.find(([, , name]) => name === operationName) ?? roots[0];
  return chosen?.[1] === 'subscription';
}
