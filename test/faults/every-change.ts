/**
 * Changes of every kind by 16 writers and two gateways that are killed again and again, beside transactions that stay
 * open for seconds: streams and webhooks must report exactly the set of committed changes. `FAULT_CHANGES` is the
 * number of changes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeWriter, type Outcome } from './change-writer.js';
import { Committed, differences } from './committed.js';
import { onBoth, workers } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { holdTransactions } from './held-transactions.js';
import { anything, atLeast, exactly, tried } from './report.js';
import { numberOf } from './rows.js';
import { type Kind, type Manner, StreamSubscriber } from './stream-subscriber.js';
import { webhookSettings } from './telling.js';
import { WebhookReceiver } from './webhook-receiver.js';

const changes = Number(process.env.FAULT_CHANGES ?? 4_000);
const writers = 16;
/** However few the changes are, and however fast they are made. */
const leastKills = 6;
const leastHeld = { kept: 4, undone: 1 };
const kinds: Kind[] = ['changes', 'records', 'documents', 'events'];
const manners: Manner[] = ['stays', 'goes', 'stalls'];
/** Milliseconds after the last write until which every change must have been reported. */
const patience = 120_000 + changes * 15;

export const everyChange = onBoth(
  'every change is told, kill -9 again and again',
  async (provider, place, report, progress) => {
    const databaseUrl = await place.database(provider);
    const start = () => startGateway({ databaseUrl, env: webhookSettings });
    const gateways = await Promise.all([start(), start()]);
    const one = (): GatewayProcess => {
      const running = gateways.filter(({ isRunning }) => isRunning);
      return running[Math.floor(Math.random() * running.length)] ?? gateways[0];
    };
    const { body: shared } = await one().send('POST', '/api/assets/asset-repair', {
      asset: 'x',
      failure_date: '2026-01-31',
    });
    const begun = (await Committed.in(databaseUrl)).last;
    const entries = () => numberOf(databaseUrl, 'SELECT count(*) FROM "JournalEntry"');
    const before = await entries();
    const subscribers = kinds.flatMap((kind) =>
      manners.map((manner) => new StreamSubscriber(kind, manner, begun, one)),
    );
    // A receiver that stalls takes 15 seconds for each of them.
    const oneOf = Math.max(100, Math.ceil(changes / 50));
    const receivers = await Promise.all(
      (['good', 'stalls', 'resets', 'fails', 'away'] as const).map((manner) => WebhookReceiver.start(manner, oneOf)),
    );
    const ids: string[] = [];
    for (const { url, manner } of receivers) {
      const create = 'mutation ($input: CreateWebhookInput!) { it: createWebhook(input: $input) { webhook { id } } }';
      ids.push((await one().graphql(create, { input: { name: manner, url } })).it.webhook.id);
    }

    const outcomes = new Map<string, Outcome>();
    const held = holdTransactions(databaseUrl);
    let committed = 0;
    let isOver = false;
    const startedAt = performance.now();
    const all = Array.from({ length: writers }, () => new ChangeWriter(outcomes, one, shared.id));
    const writing = workers(writers, async (writer) => {
      if (!one().isRunning) await sleep(50);
      await all[writer]?.write().catch(() => undefined);
      return !isOver;
    });
    const kills = { one: 0, both: 0 };
    const killing = (async () => {
      for (let round = 1; !isOver; round++) {
        // By the number of changes, not by time: on a busy machine processes that are killed at once would achieve
        // nothing.
        const next = committed + (changes / 20) * (0.5 + Math.random());
        do await sleep(1000 + Math.random() * 1000);
        while (committed < next && !isOver);
        if (isOver) return;
        // One at any time, one when a webhook's message has come and before it is answered, or both.
        const killed = round % 3 === 0 ? gateways : [one()];
        if (round % 3 === 1) await receivers[0]?.nextMessage(10_000);
        kills[killed === gateways ? 'both' : 'one']++;
        for (const gateway of killed) gateway.kill('SIGKILL');
        await Promise.all(
          gateways.map(async (gateway, index) => {
            if (killed.includes(gateway)) gateways[index] = await gateway.ended.then(start);
          }),
        );
      }
    })();
    killing.catch(() => {
      isOver = true;
    });
    const isEnough = () =>
      committed >= changes &&
      kills.one + kills.both >= leastKills &&
      held.done.kept >= leastHeld.kept &&
      held.done.undone >= leastHeld.undone;
    while (!isEnough() && !isOver) {
      await sleep(300);
      committed = (await entries()) - before;
      progress(`${committed} of ${changes} committed, ${kills.one + kills.both} kills`);
    }
    isOver = true;
    // Also where a gateway did not start: their connections would end the whole run when PostgreSQL is stopped.
    await Promise.all([writing, killing]).finally(() => held.stop());
    const wereHeld = held.done;
    const took = (performance.now() - startedAt) / 1000;

    // Otherwise deliveries that have failed more than once would be repeated only after minutes.
    await Promise.all(receivers.map((receiver) => receiver.behave()));
    const enable = 'mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: true }) { webhook { state } } }';
    for (const id of ids) await one().graphql(enable, { id });

    const journal = await Committed.in(databaseUrl);
    const wantedBy = new Map(kinds.map((kind) => [kind, without(journal.toBeTold(kind), begun)]));
    const wanted = wantedBy.get('changes') ?? new Map<number, string>();
    const behind = () => subscribers.filter(({ position }) => position < journal.last).length;
    const undelivered = () =>
      receivers.map(({ accepted }) => [...wanted.keys()].filter((at) => !accepted.has(at)).length);
    for (let waited = 0; waited < patience && (behind() > 0 || undelivered().some(Boolean)); waited += 500) {
      if (waited % 5000 === 0)
        progress(`${behind()} streams behind, ${undelivered().join(', ')} messages not delivered`);
      await sleep(500);
    }
    const caughtUp = (performance.now() - startedAt) / 1000 - took;
    await Promise.all(subscribers.map((subscriber) => subscriber.stop()));
    await Promise.all(gateways.map((gateway) => gateway.stop()));

    const { lost, notUndone, unknown } = journal.comparedWith(outcomes, begun);
    const incomplete = journal.incompleteDocuments();
    for (const line of [...lost, ...notUndone, ...unknown, ...incomplete].slice(0, 10)) console.log(`    ${line}`);
    const count = (which: (outcome: Outcome) => boolean) => [...outcomes.values()].filter(which).length;
    report.figure('changes committed', wanted.size, tried(changes));
    report.figure('in', took, anything, ' s');
    report.figure(
      'requests acknowledged',
      count((outcome) => typeof outcome === 'object'),
      tried(changes / 20),
    );
    report.figure(
      'requests refused or undone',
      count((outcome) => outcome === 'refused'),
      tried(changes / 200),
    );
    report.figure(
      'requests without an answer',
      count((outcome) => outcome === 'unknown'),
      tried(1),
    );
    report.figure('kills of one of two, of both', kills.one + kills.both, tried(leastKills));
    report.figure('transactions held open for seconds and kept', wereHeld.kept, tried(leastHeld.kept));
    report.figure('transactions held open for seconds and undone', wereHeld.undone, tried(leastHeld.undone));
    report.figure('acknowledged and not in the journal', lost.length, exactly(0));
    report.figure('refused, undone or without a difference, and in the journal', notUndone.length, exactly(0));
    report.figure('in the journal and sent by nobody', unknown.length, exactly(0));
    report.figure('documents of which a version is not in the journal', incomplete.length, exactly(0));
    const sum = (kind: Kind, each: (one: StreamSubscriber) => number) =>
      subscribers.filter((one) => one.kind === kind).reduce((total, one) => total + each(one), 0);
    for (const kind of kinds) {
      const told = wantedBy.get(kind) ?? new Map<number, string>();
      report.figure(
        `streams of ${kind}: connections`,
        sum(kind, (one) => one.connections),
        atLeast(manners.length),
      );
      report.figure(
        `streams of ${kind}: not told`,
        sum(kind, (one) => differences(told, one.told).missing),
        exactly(0),
      );
      report.figure(
        `streams of ${kind}: told otherwise`,
        sum(kind, (one) => differences(told, one.told).wrong),
        exactly(0),
      );
      report.figure(
        `streams of ${kind}: twice or out of order`,
        sum(kind, (one) => one.outOfOrder),
        exactly(0),
      );
      report.figure(
        `streams of ${kind}: gaps`,
        sum(kind, (one) => one.gaps),
        exactly(0),
      );
      report.figure(
        `streams of ${kind}: closed with their position`,
        sum(kind, (one) => one.closings),
        anything,
      );
    }
    const left = undelivered();
    for (const [index, { manner, accepted, arrivals }] of receivers.entries()) {
      const notCommitted = [...accepted.keys()].filter((position) => !wanted.has(position)).length;
      report.figure(`webhook ${manner}: not delivered`, left[index] ?? -1, exactly(0));
      report.figure(`webhook ${manner}: delivered and not committed`, notCommitted, exactly(0));
      report.figure(`webhook ${manner}: messages in all`, arrivals, atLeast(wanted.size));
    }
    const outOfOrder = receivers.reduce((total, receiver) => total + receiver.outOfOrder(), 0);
    const problems = [...subscribers, ...receivers].flatMap((one) => one.problems);
    for (const problem of problems.slice(0, 10)) console.log(`    ${problem}`);
    report.figure('webhooks: out of order within a document', outOfOrder, exactly(0));
    report.figure('gaps, other ids, and events that are errors', problems.length, exactly(0));
    report.figure('everybody had everything after', caughtUp, anything, ' s');
    for (const receiver of receivers) receiver.close();
  },
).map((fault) => ({ ...fault, patience: 2 * patience + changes * 60 }));

/** Those behind a position. */
const without = (told: ReadonlyMap<number, string>, begun: number) =>
  new Map([...told].filter(([position]) => position > begun));
