import { parseArgs } from 'node:util';
import { type SystemName, systemNames } from './systems.js';
import { comparedWorkloads, type WorkloadName, workloadNames } from './workloads.js';

export interface Options {
  mode: Mode;
  rows: number;
  rounds: number;
  seconds: number;
  warmUp: number;
  connections: number[];
  systems: SystemName[];
  only: WorkloadName[];
  logLevel: string;
  soakMinutes: number;
  /** The share of a processor for each worker. */
  share: number;
}

export type Mode =
  | 'compare'
  | 'growth'
  | 'profile'
  | 'start'
  | 'soak'
  | 'two-processes'
  | 'workers'
  | 'live'
  | 'wrong'
  | 'help';

/** Invalid command line; the message says what is wrong. */
export class OptionError extends Error {}

/** @throws OptionError */
export function readOptions(args: string[]): Options {
  const { values } = parse(args);
  const mode = modeOf(values);
  return {
    mode,
    rows: positive('rows', values.rows ?? (mode === 'growth' ? '1000000' : '10000')),
    rounds: positive('rounds', values.rounds ?? '5'),
    seconds: positive('seconds', values.seconds ?? '2'),
    warmUp: positive('warm-up', values['warm-up'] ?? '3'),
    connections: (values.connections ?? '1,32').split(',').map((text) => positive('connections', text)),
    systems: chosen('systems', values.systems, systemNames, systemNames),
    only: chosen(
      'only',
      values.only,
      workloadNames,
      comparedWorkloads.map(({ name }) => name),
    ),
    logLevel: values['log-level'] ?? 'warn',
    soakMinutes: positive('soak', (values.soak ?? '10m').replace(/m$/, '')),
    share: positive('share', (values.share ?? '25%').replace(/%$/, '')) / 100,
  };
}

export const help = `npm run bench -- [options]

Measures the gateway beside a hand-written floor, the stock stack and PostGraphile, interleaved.
The table goes to standard output, everything that was measured to bench/results/*.json.

  --systems a,b        ${systemNames.join(', ')} [all]
  --only W1,W4         ${comparedWorkloads.map(({ name }) => name).join(', ')} [all]
  --connections 1,32   connections at a time
  --rounds 5           how often everything is measured
  --seconds 2          how long each time
  --warm-up 3          seconds of load on each workload before the first round
  --rows 10000         asset repairs, each with 7 lines
  --log-level warn     of the gateway; the others log nothing

Instead of that:
  --growth             the gateway at 10,000 records and at --rows [1,000,000], interleaved
  --profile            where the time of --systems goes under --only
  --start              from the start to the first answer, and memory when idle
  --soak 10m           W7 for so many minutes: memory, p99 and errors
  --two-processes      two gateways over one PostgreSQL beside one
  --workers            two workers beside one, each with --share [25%] of a processor
  --live               streams of changes: time to the event, 2,000 subscribers, and W1 beside them
  --wrong              what is refused beside what is right, of the same size
  --help               this
`;

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args,
      options: {
        systems: text,
        only: text,
        connections: text,
        rounds: text,
        seconds: text,
        'warm-up': text,
        rows: text,
        'log-level': text,
        soak: text,
        growth: flag,
        profile: flag,
        start: flag,
        'two-processes': flag,
        workers: flag,
        share: text,
        live: flag,
        wrong: flag,
        help: { ...flag, short: 'h' },
      },
    });
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

function modeOf(values: ReturnType<typeof parse>['values']): Mode {
  if (values.soak !== undefined) return 'soak';
  const named = (['help', 'growth', 'profile', 'start', 'two-processes', 'workers', 'live', 'wrong'] as const).find(
    (name) => values[name],
  );
  return named ?? 'compare';
}

function positive(name: string, text: string): number {
  const number = Number(text.replaceAll(/[_,]/g, ''));
  if (!(number > 0)) throw new OptionError(`--${name} must be a number above 0, not ${text}`);
  return number;
}

function chosen<Name extends string>(
  option: string,
  text: string | undefined,
  known: readonly Name[],
  standard: readonly Name[],
): Name[] {
  if (text === undefined) return [...standard];
  const named = text.split(',').map((word) => word.trim());
  const unknown = named.filter((word) => !known.some((name) => name === word));
  if (unknown.length > 0) throw new OptionError(`--${option}: ${unknown.join(', ')} is none of ${known.join(', ')}`);
  return known.filter((name) => named.includes(name));
}
