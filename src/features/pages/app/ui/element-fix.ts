/**
 * Gives what a library draws the names and roles that people need who use a screen reader or only the keyboard, where its
 * own are missing or wrong. Each fix is for a fault of the library, and is removed when the library has corrected it.
 */
export interface ElementFix {
  /** The elements that are at fault, or may become so again: a library may use the element of one thing for another. */
  of: string;
  fix(element: Element): void;
}

/** Fixes the elements on the page now and later ones, until the returned function is called. */
export function keepFixed(fixes: readonly ElementFix[]): () => void {
  let planned = 0;
  const fixAll = () => {
    planned = 0;
    for (const { of, fix } of fixes) for (const element of document.querySelectorAll(of)) fix(element);
  };
  // Many parts are drawn at once: they are fixed together, before they are shown.
  const observer = new MutationObserver(() => {
    planned ||= requestAnimationFrame(fixAll);
  });
  const attributeFilter = ['aria-controls', 'aria-label', 'aria-selected', 'class', 'id', 'role', 'tabindex'];
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter });
  return () => {
    observer.disconnect();
    cancelAnimationFrame(planned);
  };
}

/** Sets the attributes; those that are null are taken away. */
export function setAttributes(element: Element, attributes: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(attributes)) {
    // Setting an attribute triggers the observer, so the same value is not set again.
    if (element.getAttribute(name) === value) continue;
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}
