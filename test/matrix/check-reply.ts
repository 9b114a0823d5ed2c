/** Checks whether an answer is the one that a cell must get. */
import type { Cell } from './cells.js';
import type { Reply } from './client.js';
import type { Refusal } from './guard.js';

/** What is wrong with the reply to a cell; undefined if nothing is. */
export function checkReply(cell: Cell, reply: Reply): string | undefined {
  const isRight =
    cell.refusals.length === 0
      ? isSuccess(cell, reply)
      : cell.refusals.some((refusal) => isRefusal(cell, reply, refusal)) && isWellFormed(cell, reply);
  return isRight ? undefined : `${reply.status} ${reply.text.slice(0, 240)}`;
}

/** Whether the reply is the answer to a valid request. */
export function isSuccess({ surface, row, operation }: Cell, reply: Reply): boolean {
  const isHead = row.transport === 'HEAD';
  if (isHead && reply.text !== '') return false;
  if (surface === 'rest') return reply.status === (/^create$|^add/.test(operation.name) ? 201 : 200);
  if (reply.status !== 200) return false;
  if (isHead) return true;
  const { data, errors, extensions } = JSON.parse(reply.text);
  return !errors && data.record != null && (extensions?.cost !== undefined) === (row.cost === 'asked');
}

/** The code of an error, of REST or of the first GraphQL error; undefined if there is none. */
export function codeOf({ text }: Reply): string | undefined {
  if (!text.startsWith('{')) return undefined;
  const { error, errors, code } = JSON.parse(text);
  return error?.code ?? errors?.[0]?.extensions?.code ?? code;
}

function isRefusal({ surface, row }: Cell, reply: Reply, { status, code }: Refusal): boolean {
  if (!statuses(status, row.accept).includes(reply.status)) return false;
  return row.transport === 'HEAD'
    ? reply.text === ''
    : codeOf(reply) === code && (surface === 'rest' || hasNoData(reply));
}

function statuses(status: Refusal['status'], accept: string | undefined): number[] {
  if (status === 'field') return [200];
  if (status !== 'request') return [status];
  return accept === 'graphql-response' ? [400] : [200, 400];
}

function hasNoData({ text }: Reply): boolean {
  const { data } = JSON.parse(text);
  return (
    data === undefined || data === null || data.record === null || data.record.every?.((item: unknown) => item === null)
  );
}

/** Whether every GraphQL error has a code and the id of the request, and the client accepts the media type. */
function isWellFormed({ surface, row }: Cell, { text, headers }: Reply): boolean {
  if (surface === 'rest' || row.transport === 'HEAD') return true;
  const { errors } = JSON.parse(text);
  const type = row.accept === 'graphql-response' ? 'application/graphql-response+json' : 'application/json';
  return (
    headers['content-type']?.startsWith(type) === true &&
    errors.every(({ extensions }: { extensions?: Record<string, unknown> }) => extensions?.code && extensions.requestId)
  );
}
