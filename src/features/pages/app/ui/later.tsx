/** Parts of the pages that are loaded when they are needed: what a page does without does not delay it. */
import { type ComponentType, lazy } from 'react';

/**
 * A component whose script is loaded at its first use. The place around it says that it loads (`Suspense`), or what went
 * wrong. `ahead` begins to load it, where somebody is likely to need it next.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loaded = async () => {
    try {
      return { default: await load() };
    } catch (error) {
      // A gateway that was replaced since the page was loaded has files of other names.
      throw new Error('A part of this page could not be loaded. Is the gateway running? Reload the page.', {
        cause: error,
      });
    }
  };
  return Object.assign(lazy(loaded), { ahead: () => void load().catch(() => undefined) });
}
