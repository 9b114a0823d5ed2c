/** Subscribers of streams that are disconnected, leave, stall and come back, and record every change that they get. */
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayProcess, key } from './gateway-process.js';

/** The subscription. `documents` is the stream of one type, the others are of all types. */
export type Kind = keyof typeof asks;
/** `goes` leaves and comes back all the time; `stalls` does not read for seconds. */
export type Manner = 'stays' | 'goes' | 'stalls';

const graphql = (fields: string) => (after: number) => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({
    query: `subscription ($after: String) { it: ${fields} }`,
    variables: { after: String(after) },
  }),
});
const asks = {
  changes: graphql('changes(after: $after) { position notice recordId }'),
  records: graphql(
    'changes(after: $after) { position notice recordId record { id ... on AssetRepair { description } } }',
  ),
  documents: graphql(
    'assetRepairChanged(after: $after) { position notice recordId record { ... on AssetRepair { description consumedItems { id } } } }',
  ),
  events: (after: number) => ({ method: 'GET', path: `/api/events?after=${after}`, body: undefined }),
};

export class StreamSubscriber {
  /** The record of each reported position. */
  readonly told = new Map<number, string>();
  /** Events that came twice, or after a later one. */
  outOfOrder = 0;
  /** How often changes were announced to be missing. */
  gaps = 0;
  /** How often it got `CLOSING`, because the gateway stopped or it was too slow. */
  closings = 0;
  connections = 0;
  problems: string[] = [];
  #isOver = false;
  #isOpened = false;
  #response: IncomingMessage | undefined;
  readonly #following: Promise<void>;

  constructor(
    readonly kind: Kind,
    readonly manner: Manner,
    /** The position up to which it has everything. */
    public position: number,
    gateway: () => GatewayProcess,
  ) {
    this.#following = this.#follow(gateway);
  }

  /** Disconnects from its process, and connects to the next one. */
  reconnect(): void {
    this.#response?.destroy();
  }

  /** Whether it is connected and was told where its stream begins. */
  get isFollowing(): boolean {
    return this.#isOpened && this.#response?.destroyed === false;
  }

  stop(): Promise<void> {
    this.#isOver = true;
    return this.#following;
  }

  async #follow(gateway: () => GatewayProcess): Promise<void> {
    while (!this.#isOver) {
      await this.#connect(gateway().url).catch(() => undefined);
      await sleep(this.manner === 'goes' ? Math.random() * 500 : 50);
    }
  }

  /** Resolves when the connection has ended, for whichever reason. */
  #connect(url: string): Promise<void> {
    const { method, path, body } = asks[this.kind](this.position);
    const headers = {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(url + path, { method, headers, agent: false });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        response.on('error', () => undefined).on('close', resolve);
        if (response.statusCode !== 200) return void response.resume();
        this.connections++;
        this.#response = response;
        this.#isOpened = false;
        this.#read(response);
        void this.#behave(response);
      });
      outgoing.end(body);
    });
  }

  #read(response: IncomingMessage): void {
    let text = '';
    response.setEncoding('utf8').on('data', (piece: string) => {
      const frames = (text + piece).split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) this.#take(frame);
    });
  }

  async #behave(response: IncomingMessage): Promise<void> {
    const isOpen = () => !response.destroyed && !this.#isOver;
    const leaveAt = performance.now() + (this.manner === 'goes' ? 300 + Math.random() * 1200 : Infinity);
    while (isOpen() && performance.now() < leaveAt) {
      await sleep(100);
      if (this.manner !== 'stalls' || Math.random() > 0.02) continue;
      response.pause();
      for (let waited = 0; isOpen() && waited < 8000; waited += 100) await sleep(100);
      response.resume();
    }
    response.destroy();
  }

  #take(frame: string): void {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (!data) return;
    const name = /^event: (.*)$/m.exec(frame)?.[1] ?? '';
    const parsed = JSON.parse(data);
    const told = this.kind === 'events' ? parsed : parsed.data?.it;
    const event = told?.position === undefined ? told : { ...told, position: Number(told.position) };
    if (event?.position === undefined || parsed.errors) {
      // A process that is about to be replaced may have too much to do.
      if (!/busy|timeout|database_unavailable/.test(data)) this.problems.push(data.slice(0, 300));
      if (event?.position === undefined) return;
    }
    const notice = this.kind === 'events' ? (name === 'change' ? null : name.toUpperCase()) : event.notice;
    this.#isOpened = true;
    if (notice === 'TOO_OLD') this.gaps++;
    if (notice === 'CLOSING') this.closings++;
    if (notice === null) {
      if (event.position <= this.position) this.outOfOrder++;
      this.told.set(event.position, event.recordId ?? event.id);
    } else if (event.position < this.position)
      this.problems.push(`${notice} at ${event.position}, not ${this.position}`);
    this.position = Math.max(this.position, event.position);
  }
}
