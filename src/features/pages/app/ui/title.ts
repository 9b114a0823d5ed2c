import { useEffect } from 'react';

/** The title of the tab, by which people find it among others. Undefined leaves it to a part of the page. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title ? `${title} · Business Records` : 'Business Records';
  }, [title]);
}
