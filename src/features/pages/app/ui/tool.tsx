/** What others have made, GraphiQL and the REST reference of Scalar: its files, and what is corrected of what it draws. */
import { useEffect, useRef, useState } from 'react';
import { onSession } from '../session/session.js';
import { Loading, Trouble } from './controls.js';

interface Props {
  name: string;
  className: string;
  lines: number;
  /** Draws it into an element, and resolves when it can be seen. */
  open(place: Element): Promise<unknown>;
  fixes: readonly ElementFix[];
}

/** Shows a tool. `open` and `fixes` stay the same. */
export function Tool({ name, className, lines, open, fixes }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<unknown>();

  useEffect(() => keepFixed(fixes), [fixes]);
  useEffect(() => {
    if (place.current) open(place.current).then(() => setIsOpen(true), setError);
    // It holds the key it began with, and answers that the next one may not read.
    return onSession(() => location.reload());
  }, [open]);

  if (error) return <Trouble error={error} retry={() => location.reload()} />;
  return (
    <>
      {!isOpen && <Loading lines={lines} what={`Loading ${name}`} />}
      <div ref={place} className={className} />
    </>
  );
}

/** Loads a script or a style sheet of the pages. @throws where it cannot be loaded */
export function loadFile(name: string): Promise<void> {
  const { href } = new URL(name, import.meta.url);
  const element = name.endsWith('.css')
    ? Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    : Object.assign(document.createElement('script'), { src: href });
  return new Promise((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () => reject(new Error('A part of this page could not be loaded.'));
    document.head.append(element);
  });
}

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
function keepFixed(fixes: readonly ElementFix[]): () => void {
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
