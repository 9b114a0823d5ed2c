import { useSyncExternalStore } from 'react';

/**
 * Whether the page is visible and has a network. A hidden page needs no stream, and a browser has only six connections
 * to a server that does not speak HTTP/2, for all its tabs.
 */
export function useReachable(): boolean {
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
