import type { DocumentStatus } from '../generated/graphql.js';

/** The status of a document as a coloured word. */
export function StatusBadge({ status }: { status: DocumentStatus }) {
  const word = status.toLowerCase();
  return <span className={`badge ${word}`}>{word}</span>;
}
