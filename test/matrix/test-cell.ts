/** Tests one cell of the matrix: sends its request and checks the answer. */
import { type Cell, graphqlCallIn, graphqlVariantIn, restCallIn, restVariantIn } from './cells.js';
import { checkReply, codeOf, isSuccess } from './check-reply.js';
import type { Reply } from './client.js';
import type { GatewayFixture } from './gateway-fixture.js';
import { requestOf } from './outgoing-request.js';
import { restRequestOf } from './rest-variants.js';
import type { Target } from './test-operation.js';

/** Resolves with what is wrong with the answers to a cell; undefined if nothing is. */
export async function testCell(cell: Cell, fixture: GatewayFixture): Promise<string | undefined> {
  const [target, other] = cell.targets;
  const send = () => sendFor(cell, fixture, target);
  if (cell.guard.scenario) {
    return cell.guard.scenario({
      send,
      sendOther: () => sendFor(cell, fixture, other),
      problemOf: (reply) => (isSuccess(cell, reply) ? undefined : `${reply.status} ${reply.text.slice(0, 240)}`),
      codeOf,
    });
  }
  if (cell.row.text === 'by its hash')
    await registerText(cell, fixture, cell.operation.kind === 'query' ? target : other);
  const reply = await send();
  // A refused text is not stored under its hash.
  if (cell.refusals.length > 0 && codeOf(reply) === 'PERSISTED_QUERY_NOT_FOUND') return undefined;
  return checkReply(cell, reply);
}

function sendFor(cell: Cell, { client, tokenOf }: GatewayFixture, target: Target): Promise<Reply> {
  const unique = `key-${cell.targets[0].marker}`;
  if (cell.surface === 'graphql') {
    const call = graphqlCallIn(cell, target);
    return client.send(requestOf(call, graphqlVariantIn(cell), tokenOf(call.key), unique));
  }
  const call = restCallIn(cell, target);
  return client.send(restRequestOf(call, restVariantIn(cell), tokenOf(call.key), unique));
}

/** Sends the text with its hash once, for another target, so that the hash alone is enough from then on. */
async function registerText(cell: Cell, { client, tokenOf }: GatewayFixture, target: Target): Promise<void> {
  const call = graphqlCallIn(cell, target);
  const variant = { ...graphqlVariantIn(cell), text: 'sent with its hash', idempotencyKey: 'absent' } as const;
  await client.send(requestOf(call, variant, tokenOf(call.key), ''));
}
