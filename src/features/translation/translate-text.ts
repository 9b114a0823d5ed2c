import { createRestEndpoints, createRoutes, type RestEndpoint } from '../../../rest/endpoints.js';
import { decoded, explainParameter, queryOf, variablesOf } from '../../../rest/request.js';
import type { EndpointStream } from '../../gateway/api.js';
import { readConfig } from '../../gateway/config/config.js';
import { type Feature, servedFeatures } from '../../gateway/feature.js';
import { pathOf } from '../../gateway/http/visit.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { singletonId } from '../../model/resource.js';
import { allResources } from '../../model/resources.js';
import { type Call, readCurl } from './pure/curl-line.js';
import { restTwin, type TypeNames, valuesIn } from './pure/rest-twin.js';
import type { TranslationProblem } from './pure/shell-words.js';
import { asCurl, graphqlSnippets } from './pure/snippets.js';

export interface Wanted {
  /** The form of an operation: `graphql`, or the first word of a language of `graphqlSnippets` in lower case. */
  as: string;
  /** JSON. */
  variables?: string | undefined;
  origin: string;
}

/** What to print, as text and for programs. */
export type Translated = { text: string; value: unknown } | { problem: string };

/** Translates a line of curl into an operation, and any other text, which is an operation, into a line of curl. */
export async function translated(text: string, wanted: Wanted, features: readonly Feature[]): Promise<Translated> {
  const served = await servedFeatures(features, readConfig({}, features));
  const endpoints = createRestEndpoints(allResources, served);
  return /^\s*(\$\s*)?(\S*[\\/])?curl(\.exe)?\s/.test(text)
    ? operationOf(text, wanted, endpoints)
    : lineOf(text, wanted, endpoints);
}

function operationOf(line: string, { as, origin }: Wanted, endpoints: readonly RestEndpoint[]): Translated {
  const call = readCurl(line);
  if ('problem' in call) return call;
  const found = createTranslateCall(endpoints)(call);
  if ('problem' in found) return found;
  const snippets = graphqlSnippets(found, call.origin || origin);
  const code = snippets.find(({ language }) => language.toLowerCase().split(' ')[0] === as)?.text;
  return { text: code ?? `${found.document.trim()}\n\n${JSON.stringify(found.variables, null, 2)}\n`, value: found };
}

function lineOf(
  document: string,
  { variables = '{}', origin }: Wanted,
  endpoints: readonly RestEndpoint[],
): Translated {
  const values = valuesIn(variables);
  if (!values) return { problem: 'The variables are not a JSON object.' };
  const found = restTwin(document, values, typesOf(endpoints));
  if ('problem' in found) return found;
  const { method, path, headers, body } = found;
  return { text: asCurl({ ...found, origin }), value: { method, path, headers, body } };
}

export const typesOf = (endpoints: readonly RestEndpoint[]): TypeNames[] =>
  [...new Set(endpoints.flatMap(({ resource }) => resource ?? []))].map((resource) => {
    const { model, slug, one, many, fields, lines, kind } = resource;
    const isOne = kind === 'singleton';
    return {
      ...{ model, slug, one, fields },
      many: isOne ? '' : many,
      onlyId: isOne ? singletonId(resource) : undefined,
      lines: lines.map((line) => ({ field: line.field, model: line.resource.model })),
      endpoints: endpoints.filter((endpoint) => endpoint.resource === resource),
    };
  });

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
    return { problem: `GraphQL has no variable for \`after\`: send ${name} with the header Last-Event-ID: ${after}.` };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const [problem] = error.details.problems ?? [];
    return { problem: problem ? `\`${problem.path.join('.')}\` ${problem.message}.` : error.message };
  }
}
