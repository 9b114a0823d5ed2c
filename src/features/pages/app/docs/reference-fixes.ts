/** What the newest Scalar that runs on Node 20 leaves out. Its later versions have most of it. */
import { type ElementFix, setAttributes } from '../ui/element-fix.js';

export const referenceFixes: readonly ElementFix[] = [
  { of: 'button[role="search"], button[role="none"]', fix: (button) => setAttributes(button, { role: null }) },
  {
    of: '[class*="group/copy-button"]:not([aria-label])',
    fix: (button) => setAttributes(button, { 'aria-label': 'Copy' }),
  },
  {
    // It names an element that is not there.
    of: '[class*="group/copy-button"][aria-controls]',
    fix: (button) => setAttributes(button, { 'aria-controls': null }),
  },
  {
    // A button of the sidebar is no option of a list: it leads to the part that is shown.
    of: 'button[aria-selected]:not([role])',
    fix: (button) => {
      const isShown = button.getAttribute('aria-selected') === 'true';
      setAttributes(button, { 'aria-selected': null, 'aria-current': isShown ? 'true' : null });
    },
  },
  {
    // It shows "Show More" and is called otherwise, so nobody can press it by voice.
    of: 'button.show-more[aria-label^="Show all"]',
    fix: (button) => setAttributes(button, { 'aria-label': `${textOf(button)}: ${labelOf(button)}` }),
  },
  { of: 'ul.endpoints:not([tabindex])', fix: (list) => setAttributes(list, { tabindex: '0' }) },
  {
    of: '.cm-scroller[tabindex="-1"]:not(:has([contenteditable="true"]))',
    fix: (code) => setAttributes(code, { tabindex: '0' }),
  },
  {
    // It opens a list of further tabs.
    of: '[role="tablist"] button:not([role])',
    fix: (button) => setAttributes(button, { role: 'tab', 'aria-label': textOf(button) || 'More' }),
  },
  {
    of: 'tr [role="textbox"]',
    fix: (field) => setAttributes(field, { 'aria-label': `Value ${rowOf(field)}` }),
  },
  {
    of: '[role="textbox"]:not(tr *, [aria-label], [aria-labelledby])',
    fix: (field) => setAttributes(field, { 'aria-label': 'Body' }),
  },
  {
    of: 'tr input[type="checkbox"]',
    fix: (box) => setAttributes(box, { 'aria-label': `Send ${rowOf(box)}` }),
  },
];

const textOf = (element: Element): string => element.textContent?.trim() ?? '';

const labelOf = (button: Element): string => button.getAttribute('aria-label')?.replace('Show all ', '') ?? '';

/** The name of the parameter or header of the row. */
const rowOf = (element: Element): string => element.closest('tr')?.id || 'of this row';
