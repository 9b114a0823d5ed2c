/** A page with Relay: the test gives it what Relay's compiler has made of the operations. */
import {
  type ConcreteRequest,
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getRequest,
  getSingularSelector,
  Network,
  type ReaderFragment,
  RecordSource,
  Store,
} from 'relay-runtime';

type Variables = Record<string, unknown>;

let environment: Environment;

export function open(key: string): void {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const network = Network.create(async ({ text }, variables) => {
    const body = JSON.stringify({ query: text, variables });
    return (await fetch('/graphql', { method: 'POST', headers, body })).json();
  });
  environment = new Environment({ network, store: new Store(new RecordSource()) });
}

export async function ask(query: ConcreteRequest, variables: Variables): Promise<unknown> {
  environment.retain(createOperationDescriptor(getRequest(query), variables));
  return fetchQuery(environment, query, variables).toPromise();
}

export const change = (mutation: ConcreteRequest, variables: Variables): Promise<unknown> =>
  new Promise((onCompleted, onError) => commitMutation(environment, { mutation, variables, onCompleted, onError }));

/** What a component with this fragment shows of a query, or of the part of it at `path`. */
export function shown(fragment: ReaderFragment, query: ConcreteRequest, variables: Variables, path: string[]): unknown {
  const whole: unknown = environment.lookup(createOperationDescriptor(getRequest(query), variables).fragment).data;
  const reference = path.reduce((part, name) => Object(part)[name], whole);
  const selector = getSingularSelector(fragment, reference);
  return selector && environment.lookup(selector).data;
}
