import type { ReactNode } from 'react';

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
