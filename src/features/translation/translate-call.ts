import { createRoutes, type RestEndpoint } from '../../../rest/endpoints.js';
import { decoded, explainParameter, queryOf, variablesOf } from '../../../rest/request.js';
import { isObject } from '../../common/is-object.js';
import type { EndpointStream } from '../../gateway/api.js';
import { pathOf } from '../../gateway/http/visit.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Call } from './call.js';
import type { TranslationProblem } from './shell-words.js';

/** The operation of GraphQL that a call of REST means. */
export interface TranslatedCall {
  /** `AssetRepairList` */
  operation: string;
  document: string;
  variables: Record<string, unknown>;
}

/** Translates calls without a gateway: the same endpoints and parameters, but no key, no scopes and no data. */
export function createTranslateCall(
  endpoints: readonly RestEndpoint[],
): (call: Call) => TranslatedCall | TranslationProblem {
  const routeOf = createRoutes(endpoints);

  return ({ method, path: target, headers, body: text }) => {
    const path = pathOf(target);
    const query = new URLSearchParams(queryOf(target, path));
    query.delete(explainParameter);
    const body = bodyOf(text);
    if (!body) return { problem: 'The body is not a JSON object.' };
    const route = routeOf(method, path);
    if (!route || 'others' in route) return { problem: `There is no endpoint ${method} ${path}.` };
    const { endpoint, id } = route;
    if (endpoint.stream) return translateStream(endpoint, endpoint.stream, headers, query);
    const { variables, problems } = variablesOf(endpoint, { id: decoded(id), headers, query, body });
    if (problems[0]) return { problem: problems[0].message };
    const past = endpoint.resource && variables.asOf !== undefined ? endpoint.pastText : undefined;
    return { operation: endpoint.name, document: past ?? endpoint.text, variables };
  };
}

function translateStream(
  { name, text }: RestEndpoint,
  stream: EndpointStream,
  headers: Call['headers'],
  query: URLSearchParams,
): TranslatedCall | TranslationProblem {
  try {
    const { after, variables } = stream.read(headers, query);
    if (after === undefined) return { operation: name, document: text, variables };
    return {
      problem: `GraphQL has no variable for \`after\`: send ${name} with the header Last-Event-ID: ${after}.`,
    };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const [problem] = error.details.problems ?? [];
    return { problem: problem ? `\`${problem.path.join('.')}\` ${problem.message}.` : error.message };
  }
}

function bodyOf(text: string | undefined): Record<string, unknown> | undefined {
  if (!text) return {};
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}
