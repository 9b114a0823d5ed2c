import { type ElementFix, setAttributes } from '../ui/element-fix.js';

const stopHere = (event: Event) => event.stopPropagation();

/**
 * Tabs can be dragged, but the library that drags them moves each to the right end at its next press, whenever the window or a
 * font has changed the width of the row. The tab is then no longer under the mouse, and does not open. So they stay in place:
 * no press reaches that library. `tools.css` keeps the focus from moving them.
 *
 * Within each tab of GraphiQL there is a button that shows it and one that closes it, and no tab may hold a button. So
 * they become what they are: a list of buttons, of which one is current.
 */
export const graphiqlFixes: readonly ElementFix[] = [
  {
    of: '.graphiql-tabs[role="tablist"]',
    fix: (tabs) => setAttributes(tabs, { role: null, 'aria-label': 'Operations' }),
  },
  { of: 'li.graphiql-tab', fix: (tab) => tab.addEventListener('pointerdown', stopHere, true) },
  { of: 'li.graphiql-tab[role="tab"]', fix: (tab) => setAttributes(tab, { role: null }) },
  {
    of: 'li.graphiql-tab[aria-selected]',
    fix: (tab) => {
      const isShown = tab.getAttribute('aria-selected') === 'true';
      tab.removeAttribute('aria-selected');
      for (const button of tab.querySelectorAll('.graphiql-tab-button'))
        setAttributes(button, { 'aria-current': isShown ? 'true' : null });
    },
  },
];
