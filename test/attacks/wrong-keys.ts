/** A thousand wrong keys, five at a time, and then one after the other. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, workers } from '../faults/fault.js';
import { startGateway } from '../faults/gateway-process.js';
import { below, exactly } from '../faults/report.js';
import { runInPhases } from './attack-phases.js';
import { median } from './bystander.js';

const keys = 1_000;

export const wrongKeys: Fault = {
  title: 'attack: 1,000 wrong keys',
  run: async (place, report) => {
    const gateway = await startGateway({ databaseUrl: await place.database('sqlite') });
    const times: number[] = [];
    const bodies = new Set<string>();
    let refused = 0;
    const guess = async () => {
      const startedAt = performance.now();
      const secret = `brg_${randomBytes(6).toString('hex')}_${randomBytes(26).toString('hex')}`;
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        // The answer contains the request's id; everything else must be the same.
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'x-request-id': 'a-guess' },
        body: '{"query":"{ __typename }"}',
      });
      bodies.add(
        createHash('sha256')
          .update(await response.text())
          .digest('hex'),
      );
      times.push(performance.now() - startedAt);
      if (response.status === 401) refused++;
    };
    await workers(5, async () => {
      await guess();
      return times.length < keys;
    });
    const { length } = times;
    report.figure('answered 401', refused, exactly(length));
    report.figure('different bodies', bodies.size, exactly(1));
    report.figure('refused after (median)', median(times), below(100, ' ms'), ' ms');
    await runInPhases(gateway, report, async (until) => {
      while (performance.now() < until) {
        await guess();
        await sleep(20);
      }
    });
    await gateway.stop();
  },
};
