import { constants, fstatSync, openSync, write } from 'node:fs';

/** The most buffered characters, about 4 MB; further output is lost. */
const MOST_KEPT = 4 * 1024 * 1024;

/** Characters per write, the capacity of a pipe. */
const MOST_AT_ONCE = 64 * 1024;

/** Bytes that the system writes to a pipe at once, so that lines of several processes do not get into each other. */
const WHOLE = 4096;

/** Milliseconds before writing to a full pipe again. */
const PAUSE = 20;

/** Milliseconds that `flush` waits for a reader. */
const PATIENCE = 1000;

/**
 * Standard output (1) or standard error (2), written without ever blocking the process: writes are not awaited, a slow
 * reader costs a limited buffer, and what does not fit is lost. `onLoss` is called with the number of lost texts once
 * the buffer is empty.
 */
export class Output {
  readonly #descriptor: number;
  readonly #isShared: boolean;
  #kept: string[] = [];
  #size = 0;
  #isWriting = false;
  #lost = 0;
  #whenEmpty: (() => void)[] = [];
  onLoss: (texts: number) => void = () => {};

  /** `isShared` says whether other processes write there at the same time. */
  constructor(descriptor: 1 | 2, isShared = false) {
    this.#isShared = isShared;
    this.#descriptor = withoutWaiting(descriptor);
  }

  write(text: string): void {
    if (this.#size + text.length > MOST_KEPT) {
      this.#lost++;
      return;
    }
    this.#kept.push(text);
    this.#size += text.length;
    if (!this.#isWriting) this.#writeNext();
  }

  /** Resolves when everything is written, or after a second. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#isWriting) return resolve();
      const patience = setTimeout(resolve, PATIENCE);
      this.#whenEmpty.push(() => {
        clearTimeout(patience);
        resolve();
      });
    });
  }

  #writeNext(): void {
    const { length, texts } = this.#isShared ? this.#wholeTexts() : this.#nextTexts();
    this.#isWriting = texts > 0;
    if (this.#isWriting) {
      this.#size -= length;
      this.#writeBytes(Buffer.from(this.#kept.splice(0, texts).join('')), texts);
    } else {
      for (const resolve of this.#whenEmpty.splice(0)) resolve();
    }
  }

  #nextTexts(): { length: number; texts: number } {
    let length = 0;
    let texts = 0;
    for (; texts < this.#kept.length && length < MOST_AT_ONCE; texts++) length += this.#kept[texts]?.length ?? 0;
    return { length, texts };
  }

  /** As many as are written whole; at least one, though a longer one may be cut. */
  #wholeTexts(): { length: number; texts: number } {
    let length = 0;
    let bytes = 0;
    let texts = 0;
    for (const text of this.#kept) {
      bytes += Buffer.byteLength(text);
      if (texts > 0 && bytes > WHOLE) break;
      length += text.length;
      texts++;
    }
    return { length, texts };
  }

  #writeBytes(bytes: Buffer, texts: number): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeBytes(bytes, texts), PAUSE).unref();
      } else if (!error && written < bytes.length) {
        this.#writeBytes(bytes.subarray(written), texts);
      } else {
        // Nobody reads any more, or the disk is full. The next text is tried all the same.
        if (error) this.#lost += texts;
        else if (this.#kept.length === 0) this.#reportLoss();
        this.#writeNext();
      }
    });
  }

  #reportLoss(): void {
    const lost = this.#lost;
    this.#lost = 0;
    if (lost > 0) this.onLoss(lost);
  }
}

/**
 * Reopens a pipe or terminal in non-blocking mode, where a write fails at once instead of waiting. The inherited
 * descriptor is shared with the parent process, so its own mode cannot be relied on. Files never block.
 */
function withoutWaiting(descriptor: number): number {
  const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    const is = fstatSync(descriptor);
    if (!is.isFIFO() && !is.isCharacterDevice()) return descriptor;
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A pipe of another user or without a reader, or not Linux: Node itself makes the descriptor non-blocking.
    return descriptor;
  }
}

/**
 * Text of a file, a database or a caller as it can be shown: a terminal would obey its control characters, and those that turn
 * the direction of writing would show it in another order. Line ends and tabs stay.
 */
export const visible = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, escaped);

/** The same in one line. */
export const visibleLine = (text: string): string => visible(text).replace(/[\n\t]/g, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `1 line`, `2 lines` */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A table for a terminal: a heading, and a line for each row. */
export function tableOf(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const shown = (line: readonly string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map((line) => `${shown(line).trimEnd()}\n`).join('');
}
