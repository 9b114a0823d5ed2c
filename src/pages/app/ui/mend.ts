/**
 * Gives what a library draws the names and roles that people need who use a screen reader or only the keyboard, where its
 * own are missing or wrong. Each mend is a fault of the library: it goes when the library has none.
 */
export interface Mend {
  /** The elements that are at fault, or may become so again: a library may use the element of one thing for another. */
  of: string;
  mend(element: Element): void;
}

/** Mends what is on the page now and what comes, until the function that it returns is called. */
export function keepMended(mends: readonly Mend[]): () => void {
  let planned = 0;
  const mendAll = () => {
    planned = 0;
    for (const { of, mend } of mends) for (const element of document.querySelectorAll(of)) mend(element);
  };
  // Many parts are drawn at once: they are mended together, before they are shown.
  const observer = new MutationObserver(() => {
    planned ||= requestAnimationFrame(mendAll);
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
    // What is set is observed, so it is not set again.
    if (element.getAttribute(name) === value) continue;
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}
