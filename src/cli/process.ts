/** What commands do with their own process. */
import { setFlagsFromString } from 'node:v8';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `act` when somebody ends the process, which ends as the signal ends it after so many milliseconds, in which what `act`
 * prints is written. Returns what ends this.
 */
export function atSignals(act: () => void, milliseconds = 0): () => void {
  const end = (signal: NodeJS.Signals) => {
    act();
    forget();
    const kill = () => process.kill(process.pid, signal);
    if (milliseconds === 0) kill();
    else setTimeout(kill, milliseconds);
  };
  const forget = () => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return forget;
}

/**
 * For commands that make millions of objects, all of them soon forgotten: V8 would let the heap grow to four times what is in
 * use before it collects old objects. `growth` is how far it may grow beyond what was in use when it was last collected as a
 * whole, in percent. With 25, an import takes a fifth more processor time; with 70, a twentieth.
 */
export function keepHeapSmall(growth: number): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}
