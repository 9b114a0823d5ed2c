import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useState } from 'react';
import { goTo, pathOf } from '../router.js';

/** What went wrong, and what to do: with a button where trying again may help. */
export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div className="notice bad" role="alert">
      <p>{wordsFor(error)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** A place where there is nothing to see, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Grey lines in the place of what is being loaded. */
export function Loading({ lines = 4, what = 'Loading' }: { lines?: number; what?: string }) {
  return (
    <div className="loading" role="status" aria-label={what}>
      {Array.from({ length: lines }, (_, index) => index).map((index) => (
        <span key={index} className="loading-line" />
      ))}
    </div>
  );
}

export function wordsFor(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, children = 'Copy' }: { text: () => string; children?: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      setSaid('Not copied: the browser forbids it');
    }
    setTimeout(() => setSaid(undefined), 2000);
  };
  return (
    <button type="button" className="small" onClick={copy} aria-live="polite">
      {said ?? children}
    </button>
  );
}

/** A text to paste into a terminal or an editor. */
export function Code({ children }: { children: string }) {
  return (
    <div className="code">
      <pre>{children}</pre>
      <CopyButton text={() => children} />
    </div>
  );
}

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of the pages, without `/` at its beginning. */
  to: string;
}

/** A link to another page of the app. A click that opens a new tab, or with a modifier key, is left to the browser. */
export function Link({ to, onClick, ...rest }: Props) {
  const href = pathOf(to);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    goTo(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
