/** Sends the request of a cell and reports what is wrong with the answers. */
import { attemptIn, type Cell, callIn, restWayIn, wayIn } from './cells.js';
import type { Reply } from './client.js';
import type { Target } from './deed.js';
import type { OpenHouse } from './house.js';
import { codeOf, goodReply, wrongReply } from './judge.js';
import { requestOf } from './request.js';
import { restRequestOf } from './rest-ways.js';

/** What is wrong with the answers to a cell; undefined where nothing is. */
export async function ask(cell: Cell, house: OpenHouse): Promise<string | undefined> {
  const [target, other] = cell.targets;
  const send = () => sendAbout(cell, house, target);
  if (cell.guard.play) {
    return cell.guard.play({
      send,
      sendOther: () => sendAbout(cell, house, other),
      wrongWith: (reply) => (goodReply(cell, reply) ? undefined : `${reply.status} ${reply.text.slice(0, 240)}`),
      codeOf,
    });
  }
  if (cell.row.text === 'by its hash') await introduce(cell, house, cell.deed.kind === 'query' ? target : other);
  const reply = await send();
  // A refused text is not stored under its hash.
  if (cell.refusals.length > 0 && codeOf(reply) === 'PERSISTED_QUERY_NOT_FOUND') return undefined;
  return wrongReply(cell, reply);
}

function sendAbout(cell: Cell, { client, tokenOf }: OpenHouse, target: Target): Promise<Reply> {
  const unique = `key-${cell.targets[0].marker}`;
  if (cell.surface === 'graphql') {
    const attempt = attemptIn(cell, target);
    return client.send(requestOf(attempt, wayIn(cell), tokenOf(attempt.key), unique));
  }
  const call = callIn(cell, target);
  return client.send(restRequestOf(call, restWayIn(cell), tokenOf(call.key), unique));
}

/** Sends the text with its hash once, about another target, so that the hash alone works from then on. */
async function introduce(cell: Cell, { client, tokenOf }: OpenHouse, target: Target): Promise<void> {
  const attempt = attemptIn(cell, target);
  const way = { ...wayIn(cell), text: 'sent with its hash', idempotencyKey: 'absent' } as const;
  await client.send(requestOf(attempt, way, tokenOf(attempt.key), ''));
}
