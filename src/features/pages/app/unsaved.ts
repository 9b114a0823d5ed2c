/** Unsaved input: before it is left, the user is asked. */
import { useInsertionEffect } from 'react';

const unsaved = new Set<object>();

/** Whether the page may be left: nothing typed would be lost, or the user agrees to lose it. */
export const mayLeave = (): boolean =>
  unsaved.size === 0 || confirm('What you have typed is not saved. Leave it and lose it?');

/** While `isTyped`, the user is asked before they leave the page, reload it, close its tab or sign out. */
export function useUnsaved(isTyped: boolean): void {
  // The other effects end while the form is out of sight, as when the page asks for another key. What is typed is still there.
  useInsertionEffect(() => {
    if (!isTyped) return;
    const mine = {};
    unsaved.add(mine);
    addEventListener('beforeunload', stay);
    return () => {
      unsaved.delete(mine);
      if (unsaved.size === 0) removeEventListener('beforeunload', stay);
    };
  }, [isTyped]);
}

/** The browser asks in its own words. */
const stay = (event: Event): void => event.preventDefault();
