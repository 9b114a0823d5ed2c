/** The response to a successful REST operation: status, headers, and a body built from the operation's `data`. */
import type { RequestContext } from '../src/change/context.js';
import { isObject } from '../src/common/is-object.js';
import type { OperationResult } from '../src/gateway/execution/executor.js';
import type { MeasuredResult } from '../src/gateway/execution/limit-answer.js';
import { matchesEtag } from '../src/gateway/http/answer/etag.js';
import { errors } from '../src/model/errors/errors.js';
import { singletonId } from '../src/model/resource.js';
import type { RestOperation } from './operations.js';
import { publicAddress } from './public-address.js';
import { idIn, textBody } from './request/text-body.js';
import type { TranslatedVariables } from './request/variables.js';
import { etagOf } from './request/version.js';
import type { RestRequest, RestResponse } from './response.js';

/** Builds the response. @throws the outcome's first error, and NOT_FOUND for a missing record */
export function successResponse(
  operation: RestOperation,
  outcome: OperationResult,
  variables: TranslatedVariables['variables'],
  { headers: requestHeaders }: RestRequest,
  context: Pick<RequestContext, 'publicUrl'>,
): RestResponse {
  const found = 'result' in outcome ? bodyOf(outcome) : textIn(outcome);
  const { method, status, resource } = operation;
  if (found === null) throw errors.notFound(resource.title, String(variables.id ?? singletonId(resource)));
  const { version, id, text, isBytes } = found;
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (version !== undefined) {
    headers.ETag = etagOf(version);
    if (method === 'GET' && matchesEtag(headers.ETag, requestHeaders['if-none-match']))
      return { status: 304, headers, body: undefined };
  }
  if (status === 201) headers.Location = publicAddress(context, `${resource.base}/${id()}`);
  return { status, headers, body: text(), isBytes };
}

/** The parts of a REST body. */
interface Found {
  /** Only a single record has one. */
  version: number | undefined;
  id(): string;
  text(): string;
  isBytes: boolean;
}

/** The body from the JSON text of the operation's only field. */
function textIn(outcome: Exclude<OperationResult, { result: unknown }>): Found | null {
  const [field] = 'fields' in outcome ? outcome.fields : [];
  if (!field) throw new Error('A REST operation has one field');
  if ('error' in field) throw field.error.originalError ?? field.error;
  return foundIn(field.text, true);
}

function foundIn(field: string, isBytes: boolean): Found | null {
  const found = textBody(field);
  return found && { version: found.version, id: () => idIn(found.body) ?? '', text: () => found.body, isBytes };
}

/** The body from the result of the resolvers. */
function bodyOf({ result: { data, errors: [fault] = [] }, text }: MeasuredResult): Found | null {
  if (fault) throw fault.originalError ?? fault;
  const [[name, value] = []] = Object.entries(data ?? {});
  if (name !== 'history' || !isObject(value)) return foundIn(text.slice(`{"${name}":`.length, -1), false);
  const { data: versions, pageInfo, complete } = value;
  const body = { data: versions, ...(isObject(pageInfo) ? pageInfo : {}), complete };
  return { version: undefined, id: () => '', text: () => JSON.stringify(body), isBytes: false };
}
