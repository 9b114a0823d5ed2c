/** The only ways in which tests press, drag, scroll and paste (test/house/presses.test.ts). */
import type { Locator, Page } from 'playwright-core';

/** Presses as a person does, who holds the button down for a moment: what can be dragged may move meanwhile. */
export const press = (place: Locator): Promise<void> => place.click({ delay: 90 });

/** Presses, and lets go after something has happened. */
export async function holdDown(place: Locator, meanwhile: () => Promise<void>): Promise<void> {
  await place.hover();
  await place.page().mouse.down();
  await meanwhile();
  await place.page().mouse.up();
}

/** Drags one thing to where another is, as a person does: down, a moment, in steps, up. */
export async function drag(page: Page, what: Locator, to: Locator): Promise<void> {
  await to.scrollIntoViewIfNeeded();
  const [from, goal] = [await what.boundingBox(), await to.boundingBox()];
  if (!from || !goal) throw new Error('What is to be dragged, or where to, is not in sight.');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.waitForTimeout(90);
  await page.mouse.move(goal.x + 8, goal.y + 8, { steps: 6 });
  await page.mouse.up();
  // What was let go follows the mouse no more.
  await page.mouse.move(from.x + 8, from.y + 8, { steps: 3 });
}

/** Draws an edge to the right. */
export async function draw(page: Page, edge: Locator, pixels: number): Promise<void> {
  const place = await edge.boundingBox();
  if (!place) throw new Error('The edge is not in sight.');
  await page.mouse.move(place.x + 3, place.y + 5);
  await page.mouse.down();
  await page.waitForTimeout(90);
  await page.mouse.move(place.x + 3 + pixels, place.y + 5, { steps: 4 });
  await page.mouse.up();
}

/** Turns the wheel of the mouse over a place. */
export async function scroll(page: Page, over: Locator, pixels: number): Promise<void> {
  await over.hover();
  await page.mouse.wheel(0, pixels);
}

/** As Ctrl-V does it: the clipboard of a browser without a window cannot be written. */
export const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
