import { useSyncExternalStore } from 'react';
import { currentSession, onSession, type Session } from './session.js';

export const useSession = (): Session => useSyncExternalStore(onSession, currentSession);

/** The key of whoever is signed in; undefined before. */
export function useKey(): string | undefined {
  const session = useSession();
  return session.status === 'in' ? session.key : undefined;
}
