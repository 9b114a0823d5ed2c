import { useState } from 'react';

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
