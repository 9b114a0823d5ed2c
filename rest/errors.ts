/**
 * Errors in the form of the REST interface: like Stripe's, or RFC 9457 for clients that accept
 * `application/problem+json`.
 */
import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { noteRefusal } from '../src/change/observation.js';
import { names } from '../src/gateway/http/answer/headers.js';
import { type HttpAnswer, send } from '../src/gateway/http/answer/send.js';
import { ClientGone } from '../src/gateway/http/read-body.js';
import { type Visit, visitOf } from '../src/gateway/http/visit.js';
import { knownError, logFailure, nameOf, sentenceOf } from '../src/graphql/shown-errors/show-error.js';
import { invalidInput } from '../src/model/errors/error-rows.js';
import { errors } from '../src/model/errors/errors.js';
import { GatewayError } from '../src/model/errors/gateway-error.js';
import { listedAs, type Problem } from '../src/model/errors/problem.js';
import { snakeOf } from '../src/model/names.js';

/** What is wrong with a request, with the names of REST. */
export class InvalidRequest extends GatewayError {
  constructor(readonly named: readonly RestProblem[]) {
    super(named[0]?.code ?? 'parameter_invalid', invalidInput);
  }
}

/** The response for an error. The first problem is at the top level, all of them are in `errors`. */
export function toRestError(
  refused: GatewayError,
  { requestId, accept }: { requestId: string; accept?: string | undefined },
): HttpAnswer {
  const { row, details: all } = refused;
  const { reason, problems = [], ...details } = all;
  const named = refused instanceof InvalidRequest ? refused.named : problems.map(restProblemOf);
  const first = named[0];
  const error = {
    type: row.type,
    code: reason,
    message: first?.message ?? refused.message,
    param: first?.param ?? null,
    errors: listedAs(named, restProblemOf),
    ...Object.fromEntries(Object.entries(details).map(([name, value]) => [snakeOf(name), value])),
    request_id: requestId,
  };
  const { status } = row;
  const title = STATUS_CODES[status];
  const [type, body] = names(accept, 'application/problem+json')
    ? ['problem+json', { title, status, detail: error.message, ...error, type: 'about:blank' }]
    : ['json', { error }];
  const headers = { ...row.headers?.(all), 'Content-Type': `application/${type}; charset=utf-8` };
  return { status, headers, body: JSON.stringify(body) };
}

/** One invalid parameter of a request, with REST names. */
export interface RestProblem {
  param: string;
  code: Problem['code'];
  message: string;
  /** The number of problems that are not listed, if this one stands for them. */
  more?: number | undefined;
}

export function restProblem(param: string, code: Problem['code'], message: string, details: object = {}): RestProblem {
  return { param, code, message: sentenceOf({ path: [param], message }), ...details };
}

/** A problem found by GraphQL, with its path in REST form: without the argument's name and in snake_case. */
export function restProblemOf({ path, code, message, more, details }: Problem): RestProblem {
  if (path.length === 0) return { param: '', code, message: sentenceOf({ path, message }), more };
  const inner = path[0] === 'input' && path.length > 1 ? path.slice(1) : path;
  const param = nameOf(inner.map((part) => (typeof part === 'string' ? snakeOf(part) : part)));
  return restProblem(param, code, message, details);
}

/**
 * Answers a request of REST with the error that it ended in, in the form of REST. An unexpected error is masked, and
 * logged under its request id. Nothing is answered if the client has gone, or if an answer has begun.
 */
export function refuseRest(visit: Visit, error: unknown): void {
  if (error instanceof ClientGone || visit.response.headersSent) return void visit.response.destroy();
  const known = knownError(error);
  noteRefusal(visit.observation, known);
  answerWith(visit, known);
}

/** Answers any error of the handlers of Express in the same form. */
export const answerFault: ErrorRequestHandler = (error, request, response, _next) => {
  if (response.headersSent) return void response.destroy();
  // Express cannot decode the path, so no route matches it.
  answerWith(visitOf(request), error instanceof URIError ? errors.badRequest('route_not_found') : knownError(error));
};

function answerWith(visit: Visit, known: GatewayError): void {
  logFailure(visit.log, known);
  send(visit, toRestError(known, { requestId: visit.requestId, accept: visit.request.headers.accept }));
}
