/** `GET /api/changes?after=…&limit=…&types=…&actions=…`: the query `changes` for clients of REST. */
import { type DocumentNode, type GraphQLSchema, parse, print } from 'graphql';
import { noteOperation, noteRefusal } from '../src/change/observation.js';
import { isObject } from '../src/common/is-object.js';
import { recoverWith, whenResolved } from '../src/common/maybe-promise.js';
import type { Calls } from '../src/gateway/call.js';
import type { Execute, OperationResult } from '../src/gateway/execution/executor.js';
import type { Joined } from '../src/gateway/feature.js';
import { send } from '../src/gateway/http/answer/send.js';
import type { Visit } from '../src/gateway/http/visit.js';
import type { Admission } from '../src/graphql/operation/admission.js';
import { errors } from '../src/model/errors/errors.js';
import { enumName } from '../src/model/names.js';
import type { Resource } from '../src/model/resource.js';
import { readableAmong } from '../src/model/scopes.js';
import { createStoredDocuments } from './admit.js';
import { addParameterHeaders } from './endpoint-headers.js';
import { refuseRest, toRestProblems } from './errors.js';
import { explanationOf, requireExplainValue } from './explain.js';
import { changeSelection, changesName } from './operations.js';
import { asksToExplain, changeParameters } from './request/event-parameters.js';
import { queryOf, variablesOf } from './request/variables.js';
import type { RestResponse } from './response.js';

export const changesPath = '/api/changes';

export interface ChangesParts {
  schema: GraphQLSchema;
  resources: readonly Resource[];
  admission: Admission;
  execute: Execute;
  calls: Calls;
  called: Required<Joined>['called'];
}

/** Adds the feed of changes; `rest` answers every other path. */
export function withChanges(
  rest: (visit: Visit) => void,
  { schema, resources, admission, execute, calls, called }: ChangesParts,
): (visit: Visit) => void {
  const storedDocumentOf = createStoredDocuments(schema);
  const parameters = changeParameters(resources);

  const changes: (visit: Visit) => void = (visit) => {
    const { request } = visit;
    visit.isRead = request.method === 'GET' || request.method === 'HEAD';
    const { accept } = request.headers;
    const answer = () =>
      whenResolved(calls.enter(visit), (arrival) => {
        if (request.method === 'OPTIONS') {
          return send(visit, { status: 204, headers: { Allow: methods }, body: undefined });
        }
        if (!visit.isRead) {
          visit.headers.push('Allow', methods);
          throw errors.badRequest('method_not_allowed');
        }
        const query = queryOf(request.url ?? '/', visit.path);
        addParameterHeaders(visit.headers, { name: changesName, parameters }, query);
        noteOperation(visit.observation, { name: changesName, kind: 'query' });
        called(changesName, arrival, { request, visit, query });
        const { variables, problems } = variablesOf({ parameters }, { id: undefined, headers: {}, query, body: {} });
        if (problems.length > 0) {
          noteRefusal(visit.observation, { code: 'BAD_USER_INPUT', details: { reason: problems[0]?.code ?? '' } });
          return send(visit, toRestProblems(problems, { requestId: visit.requestId, accept }));
        }
        const answered = calls.work(arrival, (inner) => {
          const operation = admission.fromStored(storedDocumentOf(changesName, changesDocument), variables);
          if (!asksToExplain({ query })) return whenResolved(execute(operation, inner), success);
          requireExplainValue({ query });
          readableAmong(inner.identity, resources, modelsIn(variables.types, resources));
          const names = { endpoint: `GET ${changesPath}`, operation: changesName };
          return explanationOf(names, operation, { way: 'resolvers' }, inner);
        });
        return whenResolved(answered, (found) => send(visit, found));
      });
    recoverWith<void>(answer, (error) => refuseRest(visit, error));
  };

  return (visit) => (visit.path === changesPath ? changes(visit) : rest(visit));
}

/** The record types that the variable names; undefined if it names none. */
const modelsIn = (types: unknown, resources: readonly Resource[]): string[] | undefined =>
  Array.isArray(types)
    ? resources.map(({ model }) => model).filter((model) => types.includes(enumName(model)))
    : undefined;

const methods = 'GET, HEAD, OPTIONS';

/** The aliases give the page of `changes` the form of the body already. @throws the error of the field */
function success(outcome: OperationResult): RestResponse {
  if (!('result' in outcome)) throw new Error('The feed of changes is answered by its resolver');
  const { data, errors: [fault] = [] } = outcome.result;
  if (fault) throw fault.originalError ?? fault;
  const page = withNumbers(isObject(data) ? data.changes : undefined);
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, headers, body: JSON.stringify(page) };
}

/** REST has positions as numbers: that of the page and those of its changes. */
function withNumbers(page: unknown): unknown {
  if (!isObject(page)) return page;
  const position = Number(page.position);
  return Array.isArray(page.data) ? { ...page, data: page.data.map(withNumbers), position } : { ...page, position };
}

/** The operation of the endpoint. */
export const changesDocument: DocumentNode = parse(
  `query Changes($after: String, $limit: Int, $types: [RecordType!], $actions: [ChangeAction!]) {
    changes(after: $after, first: $limit, types: $types, actions: $actions) {
      data: nodes {
        position at action: storedAction type: resource id: recordId document_id: documentId version ${changeSelection}
      }
      has_more: hasMore
      position
    }
  }`,
  { noLocation: true },
);

/** The text of the operation. */
export const changesText = (): string => print(changesDocument);
