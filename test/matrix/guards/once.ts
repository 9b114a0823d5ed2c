/** The promise of an `Idempotency-Key`: a request that is repeated happens once. */
import type { Row } from '../covering.js';
import type { Deed } from '../deed.js';
import { type Guard, refusal, unspoiled } from '../guard.js';
import type { Play } from '../play.js';

const skipsQueries = ({ kind }: Deed) => (kind === 'query' ? 'a query is performed each time' : undefined);
const needsKey = ({ idempotencyKey, text }: Row) => {
  if (idempotencyKey === 'absent') return 'without a key nothing is kept';
  return text === 'by its hash' ? 'what is sent first under a hash is another request' : undefined;
};
const needsPost = ({ method, idempotencyKey }: Row) => {
  if (idempotencyKey === 'absent') return 'without a key nothing is kept';
  return method === undefined || method === 'POST' ? undefined : 'by REST only a POST is kept';
};

const twice: Play = async ({ send, wrongWith }) => {
  const first = await send();
  const again = await send();
  const wrong = wrongWith(first) ?? wrongWith(again);
  if (wrong) return wrong;
  if (again.headers['idempotent-replayed'] !== 'true') return 'the second answer is not said to be the first again';
  return first.text === again.text ? undefined : `the second answer is another: ${again.text.slice(0, 200)}`;
};

const atOnce: Play = async ({ send, wrongWith, codeOf }) => {
  const replies = await Promise.all([send(), send(), send()]);
  const others = replies.filter((reply) => wrongWith(reply) !== undefined);
  if (others.length === replies.length) return `none is answered: ${wrongWith(replies[0] ?? others[0] ?? never())}`;
  const strange = others.find((reply) => reply.status !== 409 || !conflicts.has(codeOf(reply) ?? ''));
  return strange && `one is answered ${strange.status} ${strange.text.slice(0, 200)}`;
};

const another: Play = async ({ send, sendOther, wrongWith, codeOf }) => {
  const wrong = wrongWith(await send());
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

const played = (name: string, play: Play): Guard => ({
  name: `once: ${name}`,
  skips: skipsQueries,
  graphql: { spoil: unspoiled, refusals: [], skips: needsKey },
  rest: { spoil: unspoiled, refusals: [], skips: needsPost },
  play,
});

function never(): never {
  throw new Error('Several requests were sent');
}

const malformed = (name: string, key: string): Guard => ({
  name: `once: a key ${name}`,
  skips: skipsQueries,
  graphql: {
    spoil: (attempt) => ({ ...attempt, headers: { ...attempt.headers, 'idempotency-key': key } }),
    refusals: [refusal(400, 'BAD_REQUEST')],
  },
  rest: {
    spoil: (call) => ({ ...call, headers: { ...call.headers, 'idempotency-key': key } }),
    refusals: [refusal(400, 'idempotency_key_invalid')],
    skips: ({ method }) => (method === undefined || method === 'POST' ? undefined : 'by REST only a POST is kept'),
  },
});

export const onceGuards: Guard[] = [
  played('twice', twice),
  played('at once', atOnce),
  played('another request under the same key', another),
  malformed('that is too long', 'k'.repeat(256)),
  malformed('with a blank', 'a key'),
];
