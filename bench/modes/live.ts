/**
 * Measures streams of changes: the time from a change to its event, in the same process and in another one; one change
 * for thousands of subscribers; the memory of each; and the throughput of W1 beside them.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordId } from '../data.js';
import { openMany, Subscriber } from '../live/subscriber.js';
import { Connection } from '../load/connection.js';
import { Load } from '../load/load.js';
import { bytesOf } from '../load/requests.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { type ServerProcess, startServer } from '../server-process.js';
import { spreadOf } from '../spread.js';
import { type SystemName, systemOf } from '../systems.js';
import { figure, table } from '../table.js';
import { processorMillis } from '../usage.js';

const subscribers = 2_000;
const changes = { latency: 100, fanOut: 10 };

const id = recordId('AssetRepair', 7);
const ofRecord = `subscription { assetRepairChanged(id: "${id}") { position version record { asset } } }`;
/** Reports the memory after a full garbage collection, as after some idle time. */
const telling =
  'process.on("message",()=>{gc();gc();const{rss,heapUsed,external}=process.memoryUsage();process.send([rss,heapUsed+external])})';
const collecting = ['--expose-gc', '--import', `data:text/javascript,${telling}`];

interface LiveFigures {
  system: SystemName;
  /** Milliseconds from sending a change to its answer and to its event, in both processes: medians. */
  answer: number | undefined;
  own: number | undefined;
  other: number | undefined;
  /** Milliseconds until the last of all subscribers has the event of a change. */
  fanOut: { median: number | undefined; most: number | undefined };
  /** Bytes for each subscriber: of the process, and of the objects in it. */
  kilobytes: { process: number; objects: number };
  /** Requests of W1 per second of the server's processor time, alone and beside the subscribers, in turns. */
  alone: number[];
  beside: number[];
}

export async function live(options: Options): Promise<void> {
  const place = new Place();
  const load = new Load();
  const results: LiveFigures[] = [];
  try {
    for (const name of options.systems.filter((system) => system.startsWith('journal'))) {
      results.push(await measure(name, place, load, options));
    }
  } finally {
    load.close();
    await place.close();
  }
  const file = writeResults('live', { options, results });
  progressEnds();
  const rows = results.map((each) => [
    each.system,
    figure(each.answer),
    figure(each.own),
    figure(each.other),
    figure(each.fanOut.median),
    figure(each.fanOut.most),
    figure(each.kilobytes.process),
    figure(each.kilobytes.objects),
    figure(spreadOf(each.beside.map((beside, round) => beside / (each.alone[round] ?? beside)))?.median),
  ]);
  const head = [
    '',
    'answer ms',
    'event',
    'in another process',
    `last of ${subscribers}`,
    'at most',
    'kB each',
    'of it objects',
    'W1 beside ÷ alone',
  ];
  console.log(`${table(head, rows)}\n\nEverything measured: ${file}`);
}

async function measure(name: SystemName, place: Place, load: Load, options: Options): Promise<LiveFigures> {
  const facts = { repairs: options.rows, quotations: 10, cursor: '' };
  const { provider, command } = systemOf(name);
  const databaseUrl = await place.database(provider, facts);
  const [program = '', ...args] = command();
  const env = { LOG_LEVEL: options.logLevel, STREAMS_PER_KEY: String(2 * subscribers) };
  const start = () => startServer({ command: [program, ...collecting, ...args], databaseUrl, env });
  const [one, other] = [await start(), await start()];
  const writer = new Writer(one.port);
  try {
    progress(`${name}: ${changes.latency} changes, one by one`);
    const latencies = await latenciesOf(writer, one, other);
    await other.stop();
    const workload = { system: name, workload: 'W1', facts, ports: [one.port], connections: 8 } as const;
    progress(`${name}: opening ${subscribers} streams`);
    const before = await memoryOf(one);
    let streams = await openMany(one.port, ofRecord, subscribers);
    const after = await memoryOf(one);
    const each = (end: number, start: number) => (end - start) / 1024 / subscribers;
    const all: number[] = [];
    for (let round = 0; round < changes.fanOut; round++) all.push(await fanOut(writer, streams));
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 1; round <= options.rounds; round++) {
      progress(`${name}: W1, round ${round} of ${options.rounds}`);
      const throughput = async () => {
        const from = processorMillis(one.pid) ?? 0;
        const { allRequests } = await load.run({ ...workload, seconds: options.seconds });
        return (1000 * allRequests) / ((processorMillis(one.pid) ?? 1000) - from);
      };
      beside.push(await throughput());
      for (const stream of streams) stream.close();
      await sleep(500);
      alone.push(await throughput());
      if (round < options.rounds) streams = await openMany(one.port, ofRecord, subscribers);
    }
    const spread = spreadOf(all);
    return {
      system: name,
      ...latencies,
      fanOut: { median: spread?.median, most: spread?.most },
      kilobytes: { process: each(after.process, before.process), objects: each(after.objects, before.objects) },
      alone,
      beside,
    };
  } finally {
    writer.close();
    await one.stop();
  }
}

/** Changes the record that everybody watches. */
class Writer {
  readonly #connection: Connection;
  #count = 0;

  constructor(port: number) {
    this.#connection = new Connection(port);
  }

  async change(): Promise<void> {
    const body = { asset: `${process.pid} ${this.#count++}` };
    const { status, text } = await this.#connection.send(
      bytesOf({ method: 'PATCH', path: `/api/assets/asset-repair/${id}`, body }),
    );
    if (status !== 200) throw new Error(`The change was answered ${status}: ${text()}`);
  }

  close(): void {
    this.#connection.close();
  }
}

async function latenciesOf(writer: Writer, one: ServerProcess, other: ServerProcess) {
  const streams = [await Subscriber.open(one.port, ofRecord), await Subscriber.open(other.port, ofRecord)] as const;
  const [answers, own, others]: [number[], number[], number[]] = [[], [], []];
  // Processes notice within a second who listens.
  await sleep(2_500);
  for (let turn = 0; turn < changes.latency; turn++) {
    const events = streams.map((stream) => stream.next());
    const from = performance.now();
    await writer.change();
    answers.push(performance.now() - from);
    await Promise.all(events);
    own.push(streams[0].lastAt - from);
    others.push(streams[1].lastAt - from);
    // At no fixed distance from the polls of the gateway.
    await sleep(30 * Math.random());
  }
  for (const stream of streams) stream.close();
  return { answer: spreadOf(answers)?.median, own: spreadOf(own)?.median, other: spreadOf(others)?.median };
}

async function fanOut(writer: Writer, streams: readonly Subscriber[]): Promise<number> {
  const counts = streams.map(({ events }) => events);
  const from = performance.now();
  await writer.change();
  while (streams.some(({ events }, index) => events === counts[index])) {
    if (performance.now() - from > 30_000) throw new Error('Not every subscriber has got the event');
    await sleep(1);
  }
  return Math.max(...streams.map(({ lastAt }) => lastAt)) - from;
}

/** Bytes after a full collection. */
async function memoryOf({ child }: ServerProcess): Promise<{ process: number; objects: number }> {
  await sleep(1_000);
  child.send('collect');
  const [[process, objects]] = await once(child, 'message');
  return { process, objects };
}
