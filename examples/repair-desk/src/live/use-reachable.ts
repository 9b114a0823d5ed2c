import { useSyncExternalStore } from 'react';

/**
 * Whether the page can be seen and has a network. A page that nobody sees needs no stream, and a browser has only six
 * connections to a server that does not speak HTTP/2, over all its tabs.
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
