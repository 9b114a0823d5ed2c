/** Which of several workers this process is: the primary process says so in its environment. */

export interface WorkerSelf {
  /** From 1. Whoever takes the place of a worker has the same number. */
  number: number;
  /** How many there are. */
  of: number;
  /** Whether it is the first worker of the gateway, which makes the first key. */
  isFirst: boolean;
}

const variable = 'RECORDS_WORKER';

export const environmentOf = ({ number, of, isFirst }: WorkerSelf): Record<string, string> => ({
  [variable]: `${number} of ${of}${isFirst ? ', first' : ''}`,
});

/** Undefined in a process that is no worker. */
export function readWorkerSelf({ env, send } = process): WorkerSelf | undefined {
  const [, number, of, first] = /^(\d+) of (\d+)(, first)?$/.exec(env[variable] ?? '') ?? [];
  // Without a channel it was not started by a primary process, whatever the environment says.
  if (send === undefined || number === undefined) return undefined;
  return { number: Number(number), of: Number(of), isFirst: first !== undefined };
}
