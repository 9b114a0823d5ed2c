import { useState } from 'react';

/** What has become of an attempt: it is under way with what it was given, has found something, or has failed. */
interface Attempt<Given, Found> {
  pending?: Given;
  found?: Found;
  error?: unknown;
}

/**
 * Work that somebody starts, and what has become of it. Only the last that was started is shown, and none after `reset`. Unlike
 * `useMutation` it also learns what becomes of its work while the page is out of sight, as when it asks for another key.
 */
export function useAttempt<Given, Found>(work: (given: Given) => Promise<Found>) {
  const [shown, show] = useState<Attempt<Given, Found>>();
  const start = async (given: Given): Promise<void> => {
    const begun: Attempt<Given, Found> = { pending: given };
    const end = (outcome: Attempt<Given, Found>) => show((now) => (now === begun ? outcome : now));
    show(begun);
    await work(given).then(
      (found) => end({ found }),
      (error: unknown) => end({ error }),
    );
  };
  return { ...shown, start, reset: () => show(undefined) };
}
