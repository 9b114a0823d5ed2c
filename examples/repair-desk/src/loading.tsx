import { useEffect, useState } from 'react';

/** Says that something is loading: nothing at first, so that a quick answer does not flicker. */
export function Loading({ what }: { what: string }) {
  const seconds = useSeconds();
  return (
    <p className="hint" role="status">
      {seconds >= 5 ? `${what} is still loading. The gateway is slow or cannot be reached.` : seconds > 0 && 'Loading…'}
    </p>
  );
}

/** How long it has been, in steps that matter: 0, a moment, five seconds. */
function useSeconds(): 0 | 0.3 | 5 {
  const [seconds, setSeconds] = useState<0 | 0.3 | 5>(0);
  useEffect(() => {
    const timers = ([0.3, 5] as const).map((step) => setTimeout(() => setSeconds(step), step * 1_000));
    return () => timers.forEach(clearTimeout);
  }, []);
  return seconds;
}
