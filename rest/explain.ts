/**
 * `?_explain=graphql` on any call: the GraphQL operation that the call means, how much it costs and how it would be
 * executed. It is not performed: nothing here can reach an executor or a database, and an `Idempotency-Key` stays unused.
 */
import { print } from 'graphql';
import type { RequestContext } from '../src/change/context.js';
import { isObject } from '../src/common/is-object.js';
import type { Way, WayOf } from '../src/gateway/execution/way.js';
import type { Performer } from '../src/gateway/feature.js';
import type { Operation, Subscription } from '../src/graphql/operation/admission.js';
import { errors } from '../src/model/errors/errors.js';
import type { Resource } from '../src/model/resource.js';
import { type AdmitRest, answeringErrors, type HandleRest, requireScopesOf } from './admit.js';
import { asksToExplain, explainParameter, explainParametersIn, explainValue } from './request/event-parameters.js';
import { publicAddress, type RestRequest, type RestResponse } from './response.js';

export const createRestExplainer = (admit: AdmitRest, wayOf: WayOf, performer: Performer | undefined): HandleRest =>
  answeringErrors((request, context) => {
    const admitted = admit(request, context);
    if ('status' in admitted) return admitted;
    requireScopesOf(admitted, context);
    requireExplainValue(request);
    const isPerformed = request.method === 'POST' && performer && request.headers[performer.header] !== undefined;
    if (isPerformed) performer.check(request.headers);
    const { endpoint, operation } = admitted;
    const { resource, method, path, name } = endpoint;
    // The resolvers execute what a feature performs, in the transaction that stores its answer.
    const way: Way = isPerformed ? { way: 'resolvers' } : wayOf(operation, context.identity);
    return explanationOf({ endpoint: `${method} ${path}`, operation: name }, operation, way, context, resource);
  });

/** The explanation of an admitted operation. The credentials among the `fields` are left out of the address. */
export function explanationOf(
  names: { endpoint: string; operation: string },
  { kind, document: parsed, variables, cost }: Operation | Subscription,
  way: Way,
  context: Pick<RequestContext, 'publicUrl'>,
  resource: Pick<Resource, 'fields'> = { fields: [] },
): RestResponse {
  const document = print(parsed);
  const link = graphiqlLink(document, variables, resource);
  const graphiql = link && publicAddress(context, link);
  const explanation = { ...names, kind, document, variables, cost, ...way, graphiql };
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, headers, body: JSON.stringify({ explanation }) };
}

/** Sends requests that ask for an explanation to `explain`, and all others to `perform`. */
export const explainOrPerform =
  (explain: HandleRest, perform: HandleRest): HandleRest =>
  (request, context) =>
    asksToExplain(request) ? explain(request, context) : perform(request, context);

/** @throws BAD_USER_INPUT */
export function requireExplainValue({ query }: Pick<RestRequest, 'query'>): void {
  const given = explainParametersIn(query);
  const [[name, value] = [explainParameter, '']] = given;
  if (given.length === 1 && name === explainParameter && value === explainValue) return;
  const message =
    name === explainParameter
      ? `must be \`${explainValue}\`, given once; without it the request is performed`
      : `must be written \`${explainParameter}=${explainValue}\`; without it the request is performed`;
  throw errors.badInput([{ path: [explainParameter], code: 'parameter_invalid', message }]);
}

/** Characters up to which browsers open an address everywhere. */
const longestLink = 30_000;

/**
 * The address at which GraphiQL opens with the operation. Both are in the fragment, which browsers send to no server, so
 * that values appear in no log on the way. Credentials are left out even there: addresses are kept and passed on. Null
 * where the address would be too long.
 */
function graphiqlLink(
  document: string,
  variables: Readonly<Record<string, unknown>>,
  { fields }: Pick<Resource, 'fields'>,
): string | null {
  const { input, ...others } = variables;
  const secrets = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name));
  const shown = isObject(input)
    ? { ...others, input: Object.fromEntries(Object.entries(input).filter(([name]) => !secrets.has(name))) }
    : variables;
  const link = `/graphql#${new URLSearchParams({ query: document, variables: JSON.stringify(shown) })}`;
  return link.length > longestLink ? null : link;
}
