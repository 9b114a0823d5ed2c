/** Streams of people: they end when the token does, with the position from which a renewed one goes on. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { watch } from '../features/live/watch.js';
import { providers } from '../support/database.js';
import { TestIssuer, takingTokens } from '../support/issuer.js';
import { bearing, clerk, type GatewayWithPeople, startWithPeople } from './people.js';

const following =
  'subscription ($after: String) { industryTypeChanged(after: $after) { position notice record { industry } } }';

describe.each(providers)('the stream of a person, on %s', (provider) => {
  let issuer: TestIssuer;
  let gateway: GatewayWithPeople;
  beforeAll(async () => {
    issuer = await TestIssuer.start();
    gateway = await startWithPeople({ database: provider, env: takingTokens(issuer) });
    await warmUp();
  });
  afterAll(async () => {
    await gateway.close();
    await issuer.stop();
  });

  const create = (industry: string) => gateway.rest('POST', '/api/crm/industry-type', { industry });
  function follow(token: string, after?: number) {
    const stream = watch({ url: gateway.url, key: token }, following, after === undefined ? {} : { after });
    onTestFinished(() => stream.stop());
    return stream;
  }

  /** The first stream and the first write take seconds on a busy machine, which tokens of few seconds do not have. */
  async function warmUp(): Promise<void> {
    const stream = watch({ url: gateway.url, key: gateway.key }, following);
    await stream.next();
    await create('first');
    await stream.next();
    stream.stop();
  }

  test('ends at its end and not an event later, and goes on with a renewed token', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 6;
    const stream = follow(await issuer.sign({ claims: { exp: expiresAt } }));
    expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
    await create('before');
    const before = await stream.next();
    expect(before).toMatchObject({ record: { industry: 'before' } });
    await sleep(expiresAt * 1000 - Date.now() + 5);
    await create('after');
    expect(await stream.next()).toMatchObject({ notice: 'CLOSING', position: before.position });
    await expect(stream.next()).rejects.toThrow(/token_expired/);

    const renewed = follow(await issuer.sign(), before.position);
    expect(await renewed.next()).toMatchObject({ notice: 'OPENED' });
    expect(await renewed.next()).toMatchObject({ record: { industry: 'after' } });
  });

  test('ends soon also where nothing happens, on REST too', async () => {
    const token = await issuer.sign({ expiresIn: 2 });
    const answer = await fetch(`${gateway.url}/api/events`, { headers: bearing(token) });
    const text = await answer.text();
    expect(text).toMatch(
      /event: opened[\s\S]*event: closing\ndata: \{"position":\d+\}\n\nevent: refused\n[\s\S]*token_expired/,
    );
  });

  test('begins anew when the roles give other rights, and goes on when they give the same', async () => {
    const stream = follow(await issuer.sign());
    expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
    gateway.reload();
    await sleep(2500);
    await create('as before');
    const last = await stream.next();
    expect(last).toMatchObject({ record: { industry: 'as before' } });
    const others = {
      ...clerk,
      types: { IndustryType: { ...clerk.types.IndustryType, read: { industry: { notIn: ['x'] } } } },
    };
    writeFileSync(gateway.config.texts.roles ?? '', JSON.stringify({ clerk: others }));
    gateway.reload();
    // What is shown is to be read again: no change tells what is seen now and was not before.
    expect(await stream.next()).toMatchObject({ notice: 'TOO_OLD', position: last.position });
    expect(await stream.next()).toMatchObject({ notice: 'CLOSING', position: last.position });
    await expect(stream.next()).rejects.toThrow('The stream has ended');
  });
});
