/** The answer to an operation as GraphQL over HTTP writes it: `{"errors": […], "data": {…}, "extensions": {…}}`. */
import type { ExecutionResult, GraphQLError } from 'graphql';
import { type Bytes, bytesOf } from '../bytes.js';
import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import type { AnsweredField, Outcome } from '../execution/executor.js';
import type { CostReport } from '../limits/complexity.js';
import type { Sendable } from './send.js';

export interface ResultForm {
  mediaType: MediaType;
  /** Told in `extensions.cost`, where it is there. */
  cost: CostReport | undefined;
}

export type MediaType = 'application/json' | 'application/graphql-response+json';

/** An answer to GraphQL, with the codes of the errors in it. */
export interface GraphqlAnswer extends Sendable {
  codes: readonly unknown[];
}

/** The form of JSON that a client takes, by its `Accept` header. @throws BAD_REQUEST `not_acceptable` */
export function acceptedType(accept = '*/*'): MediaType {
  if (accept.includes('application/graphql-response+json')) return 'application/graphql-response+json';
  if (['application/json', '*/*', 'application/*'].some((type) => accept.includes(type))) return 'application/json';
  throw errors.badRequest('not_acceptable');
}

export function resultOf(
  outcome: Outcome,
  form: ResultForm,
  context: Pick<RequestContext, 'requestId'>,
): GraphqlAnswer {
  if ('result' in outcome) return executed(outcome.result, form, context);
  if ('data' in outcome) return ofMembers(`"data":${outcome.data}`, [], form);
  return ofFields(outcome.fields, form, context);
}

/**
 * The errors of an operation of which nothing was performed, or nothing is told. A client that asks for plain JSON is
 * answered 200, as GraphQL over HTTP has it for well-formed requests (6.4.1), where the fault is its own.
 */
export function errorsOnly(
  faults: readonly GraphQLError[],
  { mediaType, cost }: ResultForm,
  context: Pick<RequestContext, 'requestId'>,
): GraphqlAnswer {
  const codes = faults.map(({ extensions }) => extensions.code);
  const fault = codes.map((code) => statusOfFault.get(code)).find((status) => status !== undefined);
  const status = fault ?? (mediaType === 'application/json' ? 200 : 400);
  const body = JSON.stringify({ errors: faults.map((error) => shown(error, context)), ...told(cost) });
  return { status, headers: headersOf(mediaType), body, codes };
}

const statusOfFault = new Map<unknown, number>([
  ['INTERNAL_SERVER_ERROR', 500],
  ['UNAVAILABLE', 503],
  ['TIMEOUT', 504],
]);

function executed(
  result: ExecutionResult,
  form: ResultForm,
  context: Pick<RequestContext, 'requestId'>,
): GraphqlAnswer {
  const { errors: faults = [], data } = result;
  if (data === undefined) return errorsOnly(faults, form, context);
  const body = JSON.stringify({
    ...(faults.length > 0 ? { errors: faults.map((error) => shown(error, context)) } : {}),
    data,
    ...told(form.cost),
  });
  const codes = faults.map(({ extensions }) => extensions.code);
  return { status: 200, headers: headersOf(form.mediaType), body, codes };
}

function ofFields(
  fields: readonly AnsweredField[],
  form: ResultForm,
  context: Pick<RequestContext, 'requestId'>,
): GraphqlAnswer {
  let data = '';
  const faults: GraphQLError[] = [];
  for (const field of fields) {
    if ('error' in field) faults.push(field.error);
    data += `${data ? ',' : ''}"${field.key}":${'error' in field ? 'null' : field.text}`;
  }
  if (faults.length === 0) return ofMembers(`"data":{${data}}`, [], form);
  const shownFaults = bytesOf(JSON.stringify(faults.map((error) => shown(error, context))));
  return ofMembers(`"errors":${shownFaults},"data":{${data}}`, faults, form);
}

function ofMembers(members: Bytes, faults: readonly GraphQLError[], { mediaType, cost }: ResultForm): GraphqlAnswer {
  const extensions = cost ? `,"extensions":{"cost":${JSON.stringify(cost)}}` : '';
  const codes = faults.map((error) => error.extensions.code);
  return { status: 200, headers: headersOf(mediaType), body: `{${members}${extensions}}`, isBytes: true, codes };
}

function shown(error: GraphQLError, { requestId }: Pick<RequestContext, 'requestId'>): object {
  const { extensions, ...rest } = error.toJSON();
  return { ...rest, extensions: { ...extensions, requestId } };
}

const told = (cost: CostReport | undefined) => (cost ? { extensions: { cost } } : {});

const headersOf = (mediaType: MediaType) => ({ 'Content-Type': `${mediaType}; charset=utf-8` });
