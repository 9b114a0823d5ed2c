/** What has been typed and not saved: whoever leaves it is asked first. */
import { useInsertionEffect } from 'react';

const unsaved = new Set<object>();

/** Whether nothing that was typed is lost where the page goes, or whoever typed it wants that. */
export const mayLeave = (): boolean =>
  unsaved.size === 0 || confirm('What you have typed is not saved. Leave it and lose it?');

/** While `isTyped`, whoever leaves the page, reloads it, closes its tab or signs out is asked whether to. */
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

/** The browser asks in words of its own. */
const stay = (event: Event): void => event.preventDefault();
