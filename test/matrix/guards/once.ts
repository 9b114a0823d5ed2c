/** Idempotency: a request that is repeated with the same `Idempotency-Key` takes effect once. */
import type { Row } from '../covering-array.js';
import { type Guard, refusal, unchanged } from '../guard.js';
import type { Scenario } from '../scenario.js';
import type { TestOperation } from '../test-operation.js';

const skipsQueries = ({ kind }: TestOperation) => (kind === 'query' ? 'a query is performed each time' : undefined);
const needsKey = ({ idempotencyKey, text }: Row) => {
  if (idempotencyKey === 'absent') return 'without a key nothing is kept';
  return text === 'by its hash' ? 'what is sent first under a hash is another request' : undefined;
};
const needsPost = ({ method, idempotencyKey }: Row) => {
  if (idempotencyKey === 'absent') return 'without a key nothing is kept';
  return method === undefined || method === 'POST' ? undefined : 'by REST only a POST is kept';
};

const twice: Scenario = async ({ send, problemOf }) => {
  const first = await send();
  const again = await send();
  const wrong = problemOf(first) ?? problemOf(again);
  if (wrong) return wrong;
  if (again.headers['idempotent-replayed'] !== 'true') return 'the second answer is not said to be the first again';
  return first.text === again.text ? undefined : `the second answer is another: ${again.text.slice(0, 200)}`;
};

const atOnce: Scenario = async ({ send, problemOf, codeOf }) => {
  const replies = await Promise.all([send(), send(), send()]);
  const others = replies.filter((reply) => problemOf(reply) !== undefined);
  if (others.length === replies.length) return `none is answered: ${problemOf(replies[0] ?? others[0] ?? never())}`;
  const strange = others.find((reply) => reply.status !== 409 || !conflicts.has(codeOf(reply) ?? ''));
  return strange && `one is answered ${strange.status} ${strange.text.slice(0, 200)}`;
};

const another: Scenario = async ({ send, sendOther, problemOf, codeOf }) => {
  const wrong = problemOf(await send());
  if (wrong) return wrong;
  const other = await sendOther();
  const isRefused = other.status === 422 && conflicts.has(codeOf(other) ?? '');
  return isRefused ? undefined : `another request is answered ${other.status} ${other.text.slice(0, 200)}`;
};

const conflicts: ReadonlySet<string> = new Set([
  'IDEMPOTENCY_CONFLICT',
  'idempotency_key_in_use',
  'idempotency_key_reused',
]);

const withScenario = (name: string, scenario: Scenario): Guard => ({
  name: `once: ${name}`,
  skips: skipsQueries,
  graphql: { makeInvalid: unchanged, refusals: [], skips: needsKey },
  rest: { makeInvalid: unchanged, refusals: [], skips: needsPost },
  scenario,
});

function never(): never {
  throw new Error('Several requests were sent');
}

const malformed = (name: string, key: string): Guard => ({
  name: `once: a key ${name}`,
  skips: skipsQueries,
  graphql: {
    makeInvalid: (call) => ({ ...call, headers: { ...call.headers, 'idempotency-key': key } }),
    refusals: [refusal(400, 'BAD_REQUEST')],
  },
  rest: {
    makeInvalid: (call) => ({ ...call, headers: { ...call.headers, 'idempotency-key': key } }),
    refusals: [refusal(400, 'idempotency_key_invalid')],
    skips: ({ method }) => (method === undefined || method === 'POST' ? undefined : 'by REST only a POST is kept'),
  },
});

export const onceGuards: Guard[] = [
  withScenario('twice', twice),
  withScenario('at once', atOnce),
  withScenario('another request under the same key', another),
  malformed('that is too long', 'k'.repeat(256)),
  malformed('with a blank', 'a key'),
];
