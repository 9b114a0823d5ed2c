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
