/** What keeps idle streams open. */
import { expect, onTestFinished, test } from 'vitest';
import { databaseInTurn } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';

const query = encodeURIComponent('subscription { changes { position } }');

test.each(databaseInTurn(import.meta.filename))(
  'an idle stream on %s gets a heartbeat in each interval, which tells clients of REST where they are',
  async (database) => {
    const gateway = await startGateway({ database, heartbeatEvery: 300 });
    onTestFinished(() => gateway.close());
    const read = async (path: string, accept = 'text/event-stream', beat = /^:$/m) => {
      const headers = { authorization: `Bearer ${gateway.key}`, accept };
      const answer = await fetch(gateway.url + path, { headers });
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      const from = performance.now();
      while (text.split(beat).length < 5) text += (await reader?.read())?.value;
      await reader?.cancel();
      return { text, type: answer.headers.get('content-type'), each: (performance.now() - from) / 4 };
    };
    const streams = await Promise.all([
      read(`/graphql?query=${query}`),
      read('/api/events'),
      read(
        `/graphql?query=${query}`,
        'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json',
        /^\{\}\r$/m,
      ),
    ]);
    const [graphql, rest, multipart] = streams;
    const [, position] = /^id: (\d+)$/m.exec(rest.text) ?? [];
    expect(graphql.text).toMatch(/^retry: 1000\nid: \d+\nevent: next\ndata: .*\n\n(:\n\n){4}/);
    expect(rest.text.split('\n\n').slice(1, 5)).toEqual(Array(4).fill(`:\nid: ${position}`));
    expect(multipart.type).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"');
    const part = (json: string) => `\r\n--graphql\r\nContent-Type: application/json\r\n\r\n${json}`;
    const opened = /\{"payload":\{"data":\{"changes":\{"position":"\d+"\}\}\}\}/.exec(multipart.text)?.[0] ?? '';
    expect(multipart.text.startsWith(`${part(opened)}${part('{}').repeat(4)}`)).toBe(true);
    // The first may come at once. A machine that is busy makes them late, never early; by default they come each 15 s.
    for (const { each } of streams) {
      expect(each).toBeGreaterThan(200);
      expect(each).toBeLessThan(5_000);
    }
  },
);
