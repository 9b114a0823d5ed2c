import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What a library draws, cannot be mended from outside, and is known there. */
export interface KnownProblem {
  /** The rule of axe-core. */
  rule: string;
  /** The selector of the elements that may break it. */
  of: string;
  /** Where the library is told of it. */
  issue: string;
}

/**
 * What axe-core finds serious on the page as it is shown now: the rules of WCAG 2.2 AA and good practice. Of `known`
 * problems only those are left out whose element is named.
 */
export async function seriousProblems(page: Page, known: KnownProblem[] = []): Promise<string[]> {
  // Evaluated in the page by the debugger, so the page's own policy stays in force.
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => {
    const known = ${JSON.stringify(known)};
    const isKnown = (rule, { target }) =>
      known.some((one) => one.rule === rule && document.querySelector(target.at(-1))?.matches(one.of));
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => ({ id, nodes: nodes.filter((node) => !isKnown(id, node)) }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', '));
  })`);
}
