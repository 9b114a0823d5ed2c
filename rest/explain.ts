/**
 * `?_explain=graphql` on any call: the GraphQL operation that the call means, how much it costs and how it would be
 * executed. It is not performed: nothing here can reach an executor or a database, and an `Idempotency-Key` stays unused.
 */
import { print } from 'graphql';
import type { Identity, RequestContext } from '../src/change/context.js';
import { isObject } from '../src/common/is-object.js';
import type { Way } from '../src/gateway/execution/way.js';
import type { HttpAnswer } from '../src/gateway/http/answer/send.js';
import type { Operation, Subscription } from '../src/graphql/operation/admission.js';
import { errors } from '../src/model/errors/errors.js';
import { wordOf } from '../src/model/names.js';
import type { Resource } from '../src/model/resource.js';
import { requiredScopes, requireScopes } from '../src/model/scopes.js';
import type { Variables } from '../src/model/selection.js';
import type { RestEndpoint } from './endpoints.js';
import { publicAddress } from './operation.js';
import { explainParameter, explainParametersIn, explainValue } from './request.js';

/** The explanation of an admitted operation. The credentials among the fields of a record are left out of the address. */
export function explanationOf(
  { method, path, name, resource }: RestEndpoint,
  { kind, document: parsed, variables, cost }: Operation | Subscription,
  way: Way,
  context: Pick<RequestContext, 'publicUrl'>,
): HttpAnswer {
  const document = print(parsed);
  const link = graphiqlLink(document, variables, resource?.fields ?? []);
  const graphiql = link && publicAddress(context, link);
  const names = { endpoint: `${method} ${path}`, operation: name };
  const explanation = { ...names, kind, document, variables, cost, ...way, graphiql };
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, headers, body: JSON.stringify({ explanation }) };
}

/** @throws FORBIDDEN where what the variables would change needs another scope than the endpoint, such as submit */
export function requireScopesOf(endpoint: RestEndpoint, variables: Variables, identity: Identity): void {
  if (!endpoint.resource) return endpoint.requireAllowed?.(identity, variables);
  if (endpoint.operation === 'history') return;
  const input: Record<string, unknown> = typeof variables.input === 'object' ? { ...variables.input } : {};
  const { status } = input;
  const stored = typeof status === 'string' ? { ...input, status: wordOf(status) } : input;
  requireScopes(identity, requiredScopes(endpoint.resource, endpoint.operation, { input: stored }));
}

/** @throws BAD_USER_INPUT */
export function requireExplainValue(query: URLSearchParams): void {
  const given = explainParametersIn(query);
  const [[name, value] = [explainParameter, '']] = given;
  if (given.length === 1 && name === explainParameter && value === explainValue) return;
  const message =
    name === explainParameter
      ? `must be \`${explainValue}\`, given once; without it the request is performed`
      : `must be written \`${explainParameter}=${explainValue}\`; without it the request is performed`;
  throw errors.invalidAt([explainParameter], message);
}

/** Characters up to which browsers open an address everywhere. */
const longestLink = 30_000;

/**
 * The address at which GraphiQL opens with the operation. Both are in the fragment, which browsers send to no server, so
 * that values appear in no log on the way. Credentials are left out even there: addresses are kept and passed on. Null
 * where the address would be too long.
 */
function graphiqlLink(document: string, variables: Variables, fields: Resource['fields']): string | null {
  const { input, ...others } = variables;
  const secrets = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name));
  const shown = isObject(input)
    ? { ...others, input: Object.fromEntries(Object.entries(input).filter(([name]) => !secrets.has(name))) }
    : variables;
  const link = `/graphql#${new URLSearchParams({ query: document, variables: JSON.stringify(shown) })}`;
  return link.length > longestLink ? null : link;
}
