/**
 * The place of what lies over the page: dialogs, menus, toasts. It is beside the root of the app (pages.ts), so that whatever
 * is open covers all of the page, and the rest can be taken from the keyboard and from screen readers meanwhile.
 */
export const over = (): HTMLElement | null => document.querySelector<HTMLElement>('#over');
