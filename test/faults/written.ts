/** Writes that were acknowledged, as they were sent. Each of them is answered again from what is stored, by whatever primary. */
import type { Request } from './careful-requests.js';
import { workers } from './fault.js';
import type { GatewayProcess } from './gateway-process.js';

export interface Written extends Request {
  key: string;
}

/** Sends up to `most` of them again, spread over all; returns what was sent, and what was not answered from what is stored. */
export async function repeat(
  written: readonly Written[],
  gateways: readonly GatewayProcess[],
  most: number,
): Promise<{ sent: number; notStored: string[] }> {
  const every = Math.max(1, Math.ceil(written.length / most));
  const chosen = written.filter((_, index) => index % every === 0);
  const notStored: string[] = [];
  let next = 0;
  await workers(6, async () => {
    const index = next++;
    const each = chosen[index];
    if (!each) return false;
    const { method, path, body, key } = each;
    try {
      const answer = await gateways[index % gateways.length]?.send(method, path, body, { 'idempotency-key': key });
      const isStored = answer?.headers['idempotent-replayed'] === 'true';
      if (!isStored) notStored.push(`${key}: ${answer?.status} ${JSON.stringify(answer?.body)}`);
    } catch (error) {
      notStored.push(`${key}: ${error} ${error instanceof Error ? error.cause : ''}`);
    }
    return true;
  });
  return { sent: chosen.length, notStored };
}
