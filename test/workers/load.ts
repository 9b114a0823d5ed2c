import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrokenOff } from '../support/connections.js';
import { path, type Workers } from './workers.js';

export interface Load {
  /** Wrong answers and failed requests. */
  failed: string[];
  /** Those of the failed requests that had no answer. */
  brokenOff: BrokenOff[];
  /** The ids of acknowledged creates. */
  created: string[];
  answered(): number;
  /** Ends it once all requests are answered. */
  stop(): Promise<void>;
}

/** Clients that create and read without a pause: half of them keep their connections, the others take new ones. */
export function startLoad({ send }: Workers, clients = 8): Load {
  const failed: string[] = [];
  const brokenOff: BrokenOff[] = [];
  const created: string[] = [];
  let isOver = false;
  let answered = 0;
  const one = async (client: number) => {
    const agent = new Agent({ keepAlive: client % 2 === 0, maxSockets: 1 });
    while (!isOver) {
      try {
        const made = await send({ method: 'POST', body: { industry: 'loaded' }, agent });
        if (made.status !== 201) failed.push(`${made.status} ${JSON.stringify(made.body)}`);
        else created.push(made.body.id);
        const { status } = await send({ path: `${path}/${made.body.id}`, agent });
        if (status !== 200) failed.push(`${status} for what was created`);
        answered += 2;
      } catch (error) {
        failed.push(String(error));
        if (error instanceof BrokenOff) brokenOff.push(error);
        await sleep(10);
      }
    }
    agent.destroy();
  };
  const running = Array.from({ length: clients }, (_, client) => one(client));
  return {
    failed,
    brokenOff,
    created,
    answered: () => answered,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}
