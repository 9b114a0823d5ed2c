/** A gateway of any version as its clients see it. */
import { expect, onTestFinished } from 'vitest';
import { type Answer, Client } from '../support/client.js';
import { type GatewayProcess, run } from '../support/process.js';
import type { Program } from './versions.js';

export const rootKey = 'a-key-that-all-versions-know-of';

export class GatewayOf {
  private constructor(
    readonly process: GatewayProcess,
    readonly client: Client,
  ) {}

  static async start(program: Program, environment: Record<string, string>): Promise<GatewayOf> {
    const started = run(process.execPath, [...program, 'serve'], {
      ...{ API_KEY: rootKey, LOG_LEVEL: 'warn' },
      ...environment,
    });
    onTestFinished(() => void started.child.kill('SIGKILL'));
    return new GatewayOf(started, new Client(await started.ready()));
  }

  rest(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const own = { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json' };
    return this.client.send(method, path, body, { ...own, ...headers });
  }

  graphql(query: string, variables: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.rest('POST', '/graphql', { query, variables }, headers);
  }

  /** The data of an operation that must succeed. */
  async ask(query: string, variables: object = {}): Promise<Answer['body']> {
    const { body, text } = await this.graphql(query, variables);
    expect(body?.errors, text).toBeUndefined();
    return body.data;
  }

  /** The first `count` events of a stream, as they are sent. */
  async events(count: number, path: string, headers: Record<string, string>, body?: object): Promise<string[]> {
    const controller = new AbortController();
    const answer = await fetch(this.client.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...{ authorization: `Bearer ${rootKey}`, accept: 'text/event-stream', 'content-type': 'application/json' },
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)]),
    });
    const found: string[] = [];
    let text = '';
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      found.push(...blocks.filter((block) => block.includes('data: ')));
      if (found.length >= count) break;
    }
    controller.abort();
    expect(found.length, `${answer.status} ${text}`).toBeGreaterThanOrEqual(count);
    return found.slice(0, count);
  }

  /** What it has logged. */
  logged(): Record<string, unknown>[] {
    return this.process
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  }

  async stop(): Promise<void> {
    this.client.close();
    this.process.child.kill('SIGTERM');
    expect(await this.process.ended, this.process.log()).toBe(0);
  }
}
