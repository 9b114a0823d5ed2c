import { changesPath, changesText } from '../../../rest/changes.js';
import { eventsPath, eventsText } from '../../../rest/events.js';
import { changesName, eventsName, type RestOperation } from '../../../rest/operations.js';
import { misplacedInstant, pastDocumentFor } from '../../../rest/request/as-of.js';
import { changeParameters, eventParameters, explainParameter } from '../../../rest/request/event-parameters.js';
import { queryOf, variablesOf } from '../../../rest/request/variables.js';
import { createRoutes } from '../../../rest/route.js';
import { isObject } from '../../common/is-object.js';
import { pathOf } from '../../gateway/http/visit.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { enumName } from '../../model/names.js';
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
  operations: readonly RestOperation[],
): (call: Call) => TranslatedCall | TranslationProblem {
  const routeOf = createRoutes(operations);
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  const typeOf = new Map(resources.map(({ slug, model }) => [slug, enumName(model)]));

  return ({ method: given, path: target, headers, body: text }) => {
    const method = given === 'HEAD' ? 'GET' : given;
    const path = pathOf(target);
    const query = new URLSearchParams(queryOf(target, path));
    query.delete(explainParameter);
    const body = bodyOf(text);
    if (!body) return { problem: 'The body is not a JSON object.' };
    if (path === changesPath && method === 'GET') {
      const parameters = changeParameters(resources);
      const { variables, problems } = variablesOf({ parameters }, { id: undefined, headers, query, body: {} });
      return problems[0]
        ? { problem: problems[0].message }
        : { operation: changesName, document: changesText(), variables };
    }
    if (path === eventsPath && method === 'GET') return translateEvents(headers, query, typeOf);
    const route = routeOf(method, path);
    if (!route || 'allow' in route) return { problem: `There is no endpoint ${given} ${path}.` };
    const { operation } = route;
    const { variables, problems } = variablesOf(operation, { id: decoded(route.id), headers, query, body });
    problems.push(...misplacedInstant(operation, query));
    if (problems[0]) return { problem: problems[0].message };
    const isPast = pastDocumentFor(operation, variables) !== undefined;
    return { operation: operation.name, document: (isPast && operation.pastText) || operation.text, variables };
  };
}

function translateEvents(
  headers: Call['headers'],
  query: URLSearchParams,
  typeOf: ReadonlyMap<string, string>,
): TranslatedCall | TranslationProblem {
  try {
    const { after, ...variables } = eventParameters(headers, query, typeOf);
    if (after === undefined) return { operation: eventsName, document: eventsText(), variables };
    return {
      problem: `GraphQL has no variable for \`after\`: send ${eventsName} with the header Last-Event-ID: ${after}.`,
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

function decoded(segment: string | undefined): string | undefined {
  try {
    return segment && decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
