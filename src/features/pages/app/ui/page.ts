import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element in whole pixels, 0 before it is known. */
export function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

/** Lets the keyboard go on at the content of the page, where what it was on is gone. */
export function focusMain(): void {
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

/** The title of the tab, by which people find it among others. Undefined leaves it to a part of the page. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title ? `${title} · Business Records` : 'Business Records';
  }, [title]);
}
