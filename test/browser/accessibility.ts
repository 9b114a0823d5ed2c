import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe-core finds serious on the page as it is shown now: the rules of WCAG 2.2 AA and good practice. */
export async function seriousProblems(page: Page): Promise<string[]> {
  // Evaluated in the page by the debugger, so the page's own policy stays in force.
  await page.evaluate(axe.source);
  // Colours that still change from those of another scheme are no colours of the page.
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition)
    .map(({ finished }) => finished))`);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
}
