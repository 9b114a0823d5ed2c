/** Measures how the gateway's cost grows with a hundred times as many records: both sizes in interleaved rounds. */
import type { Amounts } from '../data.js';
import { Connection } from '../load/connection.js';
import { Load } from '../load/load.js';
import { bytesOf, type Facts } from '../load/requests.js';
import { type Bench, type Measurement, measure } from '../measure.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { type RunningSystem, startSystem } from '../running-system.js';
import { spreadOf } from '../spread.js';
import { processorOf } from '../summary.js';
import { figure, spreadText, table } from '../table.js';
import { type WorkloadName, workloadOf } from '../workloads.js';

const names: WorkloadName[] = ['W1', 'W2', 'W2b', 'W2c', 'W2d', 'W4'];
const small = 10_000;
const connections = 32;

export async function growth(options: Options): Promise<void> {
  const bench: Omit<Bench, 'facts' | 'seconds'> = { place: new Place(), load: new Load() };
  const systems = options.systems.filter((name) => name.startsWith('gateway'));
  try {
    const sized: Sized[] = [];
    for (const name of systems) {
      for (const repairs of [small, options.rows]) {
        const amounts: Amounts = { repairs, quotations: 10 };
        const system = await startSystem(name, bench.place, amounts, options);
        sized.push({ system, facts: { ...amounts, cursor: await middleOf(system, repairs) }, measurements: [] });
      }
    }
    for (let round = 0; round <= options.rounds; round++) {
      for (const name of names) {
        for (const { system, facts, measurements } of sized) {
          progress(`Round ${round} of ${options.rounds}: ${name}, ${system.name} with ${facts.repairs}`);
          // Round 0 warms up.
          const seconds = round === 0 ? options.warmUp : options.seconds;
          const measured = await measure({ ...bench, facts, seconds }, system, workloadOf(name), connections, round);
          if (round > 0) measurements.push(measured);
        }
      }
    }
    const rows = systems.flatMap((name) => rowsOf(sized.filter(({ system }) => system.name === name)));
    const results = sized.map(({ facts, measurements }) => ({ facts, measurements }));
    const file = writeResults('growth', { options, results });
    progressEnds();
    const many = options.rows.toLocaleString('en');
    const head = [
      '',
      'system',
      'req/s at 10,000',
      `at ${many}`,
      'CPU ms at 10,000',
      `at ${many}`,
      'cost by CPU',
      'by time',
    ];
    console.log(`${table(head, rows, 2)}\n\nEverything measured: ${file}`);
  } finally {
    bench.load.close();
    await bench.place.close();
  }
}

interface Sized {
  system: RunningSystem;
  facts: Facts;
  measurements: Measurement[];
}

function rowsOf([few, many]: readonly Sized[]): string[][] {
  if (!few || !many) return [];
  const rows = names.map((name) => {
    const of = ({ measurements }: Sized) => measurements.filter(({ workload }) => workload === name);
    return [name, few.system.name, ...costs(of(few), of(many))];
  });
  const at = (name: WorkloadName) => many.measurements.filter(({ workload }) => workload === name);
  const pages = (['W2b', 'W2d'] as const).map((name) => [
    `${name} beside W2, both large`,
    many.system.name,
    ...costs(at('W2'), at(name)),
  ]);
  return [...rows, ...pages];
}

/** Requests per second and processor time of two series, and the cost of the second relative to the first, by round. */
function costs(first: readonly Measurement[], second: readonly Measurement[]): string[] {
  const median = (series: readonly Measurement[], read: (one: Measurement) => number | undefined) =>
    figure(spreadOf(series.map(read))?.median);
  const ratio = (read: (one: Measurement) => number | undefined) =>
    spreadText(
      spreadOf(
        first.map((one, index) => {
          const [before, after] = [read(one), second[index] && read(second[index])];
          return before && after ? after / before : undefined;
        }),
      ),
    );
  const speed = ({ requestsPerSecond }: Measurement) => requestsPerSecond;
  return [
    median(first, speed),
    median(second, speed),
    median(first, processorOf),
    median(second, processorOf),
    ratio(processorOf),
    ratio(({ requestsPerSecond }) => 1 / requestsPerSecond),
  ];
}

/** A cursor in the middle of the records. */
async function middleOf({ server: { port } }: RunningSystem, repairs: number): Promise<string> {
  const query = `{ assetRepairs(first: 1, offset: ${Math.floor(repairs / 2)}) { pageInfo { endCursor } } }`;
  const connection = new Connection(port);
  const reply = await connection.send(bytesOf({ method: 'POST', path: '/graphql', body: { query } }));
  connection.close();
  return JSON.parse(reply.text()).data.assetRepairs.pageInfo.endCursor;
}
