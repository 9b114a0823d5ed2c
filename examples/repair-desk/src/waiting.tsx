import { useEffect, useState } from 'react';

interface Props {
  what: string;
  /** Why it could not be read. */
  trouble: string | undefined;
  onRetry: () => void;
}

/** Says that something is loading, or why it could not be read, and lets it be tried again. */
export function Waiting({ what, trouble, onRetry }: Props) {
  if (trouble === undefined) return <Loading what={what} />;
  return (
    <div className="alert" role="alert">
      {trouble}{' '}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Nothing at first, so that a quick answer does not flicker. */
function Loading({ what }: { what: string }) {
  const [words, setWords] = useState('');
  useEffect(() => {
    const slow = `${what} is still loading. The gateway is slow or cannot be reached.`;
    const timers = [setTimeout(setWords, 300, 'Loading…'), setTimeout(setWords, 5_000, slow)];
    return () => timers.forEach(clearTimeout);
  }, [what]);
  return <p role="status">{words}</p>;
}
