import { createRestEndpoints, createRoutes, type RestEndpoint } from '../../../rest/endpoints.js';
import { decoded, explainParameter, queryOf, variablesOf } from '../../../rest/request.js';
import { isObject } from '../../common/is-object.js';
import type { EndpointStream } from '../../gateway/api.js';
import { readConfig } from '../../gateway/config/config.js';
import { type Feature, servedFeatures } from '../../gateway/feature.js';
import { pathOf } from '../../gateway/http/visit.js';
import { datamodel } from '../../generated/datamodel.js';
import { catalogue } from '../../model/catalogue.js';
import { createResources } from '../../model/create-resources.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { type Call, readCurl } from './pure/curl-line.js';
import type { TranslationProblem } from './pure/shell-words.js';
import { graphqlSnippets } from './pure/snippets.js';

export interface Wanted {
  /** The form of an operation: `graphql`, or the first word of a language of `graphqlSnippets` in lower case. */
  as: string;
  origin: string;
}

/** What to print, as text and for programs. */
export type Translated = { text: string; value: unknown } | { problem: string };

/** Translates a line of curl into an operation. */
export async function translated(
  line: string,
  { as, origin }: Wanted,
  features: readonly Feature[],
): Promise<Translated> {
  const call = readCurl(line);
  if ('problem' in call) return call;
  const served = await servedFeatures(features, readConfig({}, features));
  const endpoints = createRestEndpoints(createResources(datamodel, catalogue), served);
  const found = createTranslateCall(endpoints)(call);
  if ('problem' in found) return found;
  const snippets = graphqlSnippets(found, call.origin || origin);
  const code = snippets.find(({ language }) => language.toLowerCase().split(' ')[0] === as)?.text;
  return { text: code ?? `${found.document.trim()}\n\n${JSON.stringify(found.variables, null, 2)}\n`, value: found };
}

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
    const body = text ? valuesIn(text) : {};
    if (!body) return { problem: 'The body is not a JSON object.' };
    const route = routeOf(method, path);
    if (!route || 'others' in route) return { problem: `There is no endpoint ${method} ${path}.` };
    const { endpoint, id } = route;
    if (endpoint.stream) return translateStream(endpoint, endpoint.stream, headers, query);
    const { variables, problems } = variablesOf(endpoint, { id: decoded(id), headers, query, body });
    if (problems[0]) return { problem: problems[0].message };
    const past = endpoint.resource && variables.asOf !== undefined ? endpoint.past : undefined;
    return { operation: endpoint.name, document: (past ?? endpoint).text, variables };
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

/** The object that a text of JSON is; undefined for any other text. */
function valuesIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
