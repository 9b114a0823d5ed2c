/** The only way in which tests press something (test/house/presses.test.ts). */
import type { Locator } from 'playwright-core';

/** Presses as a person does, who holds the button down for a moment: what can be dragged may move meanwhile. */
export const press = (place: Locator): Promise<void> => place.click({ delay: 90 });
