/** Tells on standard error what is going on; the results alone go to standard output. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text.slice(0, (process.stderr.columns ?? 120) - 1)}`);
  else process.stderr.write(`${text}\n`);
}

/** Ends the line that progress was written on. */
export function progressEnds(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
}
