import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostWaiting } from '../../src/gateway/http/answer/send.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const megabyte = 1024 * 1024;
const path = '/api/assets/asset-repair';

describe.each([true, false])('a page of 3 MB, compiled: %s', (compiled) => {
  let gateway: TestGateway;
  let small: string;
  beforeAll(async () => {
    gateway = await startGateway({ compiled });
    // Characters of one to four bytes, so that pieces end within them.
    const description = 'aé€😀'.repeat(70_000);
    for (let i = 0; i < 5; i++)
      await gateway.rest('POST', path, { asset: 'A', failure_date: '2026-01-01', description });
    small = (await gateway.rest('POST', path, { asset: 'B', failure_date: '2026-01-01' })).body.id;
  });
  afterAll(() => gateway.close());

  /** The body as it came. */
  const bodyOf = (headers: Record<string, string>) =>
    new Promise<{ body: Buffer; encoding: string | undefined }>((resolve, reject) => {
      const asked = request(`${gateway.url}${path}?limit=6`, {
        headers: { authorization: `Bearer ${gateway.key}`, ...headers },
      });
      asked.on('error', reject).on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve({ body: Buffer.concat(chunks), encoding: answer.headers['content-encoding'] }));
      });
      asked.end();
    });

  it('arrives whole, compressed or not', async () => {
    const { body } = await bodyOf({});
    expect(body.length).toBeGreaterThan(3 * megabyte);
    const records = JSON.parse(body.toString()).data;
    expect(new Set(records.slice(1).map(({ description }: { description: string }) => description))).toEqual(
      new Set(['aé€😀'.repeat(70_000)]),
    );
    const compressed = await bodyOf({ 'accept-encoding': 'gzip' });
    expect(compressed.encoding).toBe('gzip');
    expect(gunzipSync(compressed.body).equals(body)).toBe(true);
  });

  // The same code sends answers of SQL and of the resolvers.
  if (compiled)
    it('is not held in memory for clients that do not read it, however many, and others are answered', async () => {
      // The operating system buffers some megabytes of each answer that nobody reads.
      const description = 'x'.repeat(900_000);
      for (let i = 0; i < 24; i++)
        await gateway.rest('POST', path, { asset: 'A', failure_date: '2026-01-01', description });
      // The clients run in this process too. If it is late, all requests are refused as `busy` for a moment; so clients
      // connect until as many have begun to read as there is room for.
      const room = Math.floor(mostWaiting.reads / (24 * 901_000));
      const clients: ReturnType<typeof askWithoutTaking>[] = [];
      const taking = async () => {
        const more = Array.from({ length: 4 }, askWithoutTaking);
        clients.push(...more);
        const statuses = await Promise.all(clients.map(({ status }) => status));
        expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
        return statuses.filter((status) => status === 200).length;
      };
      // More if some have been closed meanwhile, because they read nothing for too long.
      await expect.poll(taking).toBeGreaterThanOrEqual(room);
      await expect.poll(async () => (await gateway.rest('GET', `${path}/${small}`)).status).toBe(200);
      const change = async () => (await gateway.rest('PATCH', `${path}/${small}`, { asset: 'C' })).status;
      await expect.poll(change).toBe(200);
      // On a busy machine clients that read nothing may have been closed meanwhile; others replace them.
      const refused = async () => {
        await taking();
        const { status, body, headers } = await gateway.rest('GET', `${path}?limit=24`);
        return [status, body.error?.code, headers.get('retry-after')];
      };
      await expect.poll(refused).toEqual([503, 'busy', '1']);
      for (const { asked } of clients) asked.on('error', () => {}).destroy();
      await expect.poll(statusOfOneMore).toBe(200);
    });

  /** A client that requests 22 MB and reads only the beginning. */
  function askWithoutTaking() {
    const headers = { authorization: `Bearer ${gateway.key}` };
    const asked = request(`${gateway.url}${path}?limit=24`, { headers, agent: false });
    const status = new Promise<number | undefined>((resolve, reject) => {
      asked.on('error', reject).on('response', (answer) => resolve(answer.pause().statusCode));
    });
    asked.end();
    return { asked, status };
  }

  async function statusOfOneMore() {
    const { asked, status } = askWithoutTaking();
    const found = await status;
    asked.on('error', () => {}).destroy();
    return found;
  }
});
