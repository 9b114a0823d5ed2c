/** A line of CSV (RFC 4180) as exports have them: a formula stays what it is (docs/data.md). An empty text is told from null. */
export function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text = String(value ?? '');
    return value === '' || /[",\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${cells.join(',')}\r\n`;
}

/** Puts a file to where this browser keeps its downloads. */
export function saveFile(name: string, parts: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(parts));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export const numbered = (count: number): string => count.toLocaleString('en');

/** How far work on many records has come. */
export const Progress = ({ done, total, word }: { done: number; total: number; word: string }) => (
  <p role="status">
    <progress aria-label="Progress" max={Math.max(total, done, 1)} value={done} />
    {numbered(done)} of {numbered(Math.max(total, done))} {word}
  </p>
);
