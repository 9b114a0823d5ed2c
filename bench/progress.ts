/** Shows progress on standard error; only results go to standard output. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text.slice(0, (process.stderr.columns ?? 120) - 1)}`);
  else process.stderr.write(`${text}\n`);
}

/** Clears the line of progress on a terminal. */
export function progressEnds(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
}
