import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { type AnyVariables, useClient } from 'urql';
import { follow, type Listener, type LiveState, type Stream, type StreamEvent } from './follow.js';

/**
 * Follows a stream while `isOn` and while the page can be seen, and later continues behind its last event.
 * @param subject What is followed; for another subject a new stream begins.
 */
export function useLive<Event extends StreamEvent, Variables extends AnyVariables>({
  stream,
  variables,
  subject,
  isOn,
  ...listener
}: {
  stream: Stream<Event, Variables>;
  variables: (after: string | null) => Variables;
  subject: string;
  isOn: boolean;
} & Omit<Listener<Event>, 'onState'>): LiveState {
  const client = useClient();
  const [state, setState] = useState<LiveState>('connecting');
  const reached = useRef<{ subject: string; after: string | null }>({ subject, after: null });
  const isFollowing = useReachable() && isOn;
  const variablesAfter = useEffectEvent(variables);
  const onEvent = useEffectEvent(listener.onEvent);
  const onReadAnew = useEffectEvent(listener.onReadAnew);

  useEffect(() => {
    if (!isFollowing) return;
    const from = reached.current.subject === subject ? reached.current.after : null;
    const stop = follow(
      client,
      stream,
      (after) => variablesAfter(after),
      { onEvent, onReadAnew, onState: setState },
      from,
    );
    return () => {
      reached.current = { subject, after: stop() };
      setState('connecting');
    };
  }, [client, stream, subject, isFollowing]);
  return state;
}

/**
 * Whether the page is visible and has a network. A hidden page needs no stream, and a browser has only six connections
 * to a server that does not speak HTTP/2, for all its tabs.
 */
function useReachable(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible' && navigator.onLine);
}

function subscribe(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    document.removeEventListener('visibilitychange', changed);
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
