/** Writers, streams of each kind and a webhook, to run during faults of gateways and their database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeWriter, type Outcome } from './change-writer.js';
import { Committed, differences } from './committed.js';
import { workers } from './fault.js';
import type { GatewayProcess } from './gateway-process.js';
import { exactly, type Report, tried } from './report.js';
import { type Kind, type Manner, StreamSubscriber } from './stream-subscriber.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Settings with which gateways deliver webhooks to receivers on this machine. */
export const webhookSettings = {
  WEBHOOK_KEY: 'the-master-key-of-the-fault-run-32-letters',
  WEBHOOK_ALLOW: '127.0.0.1',
};
const kinds: Kind[] = ['changes', 'records', 'documents', 'events'];
/** Milliseconds after the last write until which every change must have been reported. */
const patience = 90_000;

export class Telling {
  readonly #writing: Promise<void>;
  #isOver = false;

  private constructor(
    private readonly databaseUrl: string,
    private readonly outcomes: ReadonlyMap<string, Outcome>,
    private readonly begun: number,
    readonly subscribers: readonly StreamSubscriber[],
    readonly receiver: WebhookReceiver,
    writers: readonly ChangeWriter[],
  ) {
    this.#writing = workers(writers.length, async (writer) => {
      await writers[writer]?.write().catch(() => undefined);
      await sleep(20);
      return !this.#isOver;
    });
  }

  /** `gateway` is the one that somebody uses next. */
  static async start(databaseUrl: string, gateway: () => GatewayProcess, manner: Manner = 'stays'): Promise<Telling> {
    const repair = { asset: 'x', failure_date: '2026-01-31' };
    const { body: shared } = await gateway().send('POST', '/api/assets/asset-repair', repair);
    const receiver = await WebhookReceiver.start('good');
    await gateway().graphql('mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret } }', {
      input: { name: 'good', url: receiver.url },
    });
    const begun = (await Committed.in(databaseUrl)).last;
    const subscribers = kinds.map((kind) => new StreamSubscriber(kind, manner, begun, gateway));
    const outcomes = new Map<string, Outcome>();
    const writers = Array.from({ length: 4 }, () => new ChangeWriter(outcomes, gateway, shared.id));
    return new Telling(databaseUrl, outcomes, begun, subscribers, receiver, writers);
  }

  /** Ends the writers, waits until every change was reported, and records what is missing. */
  async settle(report: Report): Promise<void> {
    this.#isOver = true;
    await this.#writing;
    const journal = await Committed.in(this.databaseUrl);
    const wantedBy = (kind: Kind) => new Map([...journal.toBeTold(kind)].filter(([position]) => position > this.begun));
    const wanted = wantedBy('changes');
    const undelivered = () => [...wanted.keys()].filter((position) => !this.receiver.accepted.has(position)).length;
    const isBehind = () => this.subscribers.some(({ position }) => position < journal.last) || undelivered() > 0;
    for (let waited = 0; waited < patience && isBehind(); waited += 200) await sleep(200);
    await Promise.all(this.subscribers.map((subscriber) => subscriber.stop()));
    const sum = (each: (one: StreamSubscriber) => number) =>
      this.subscribers.reduce((total, one) => total + each(one), 0);
    const against = (one: StreamSubscriber) => differences(wantedBy(one.kind), one.told);
    const { lost, notUndone } = journal.comparedWith(this.outcomes, this.begun);
    const problems = [...this.subscribers.flatMap((one) => one.problems), ...this.receiver.problems];
    for (const problem of problems.slice(0, 5)) console.log(`    ${problem}`);
    report.figure('changes committed', wanted.size, tried(50));
    report.figure('acknowledged and not in the journal', lost.length, exactly(0));
    report.figure('refused and in the journal', notUndone.length, exactly(0));
    report.figure(
      'not told by a stream',
      sum((one) => against(one).missing),
      exactly(0),
    );
    report.figure(
      'told otherwise by a stream',
      sum((one) => against(one).wrong),
      exactly(0),
    );
    report.figure(
      'told twice or out of order by a stream',
      sum((one) => one.outOfOrder + one.gaps),
      exactly(0),
    );
    report.figure('not delivered by the webhook', undelivered(), exactly(0));
    report.figure('delivered out of order within a document', this.receiver.outOfOrder(), exactly(0));
    report.figure('gaps, other ids, and events that are errors', problems.length, exactly(0));
    this.receiver.close();
  }
}
