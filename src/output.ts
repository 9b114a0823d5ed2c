import { constants, fstatSync, openSync, write } from 'node:fs';

/** Characters kept for a reader that is behind, some 4 MB; what comes when there are more is lost. */
const MOST_KEPT = 4 * 1024 * 1024;

/** Characters written at once, as many as a pipe holds. */
const MOST_AT_ONCE = 64 * 1024;

/** Milliseconds until a pipe that was full is tried again. */
const PAUSE = 20;

/** Milliseconds `flush` waits for a reader. */
const PATIENCE = 1000;

/**
 * Standard output (1) or standard error (2), which never holds up the process, whoever reads it: nothing waits for a
 * write, a reader that is behind costs a bounded amount of memory, and what nobody takes is lost. `onLoss` is told how
 * many texts were lost, once the reader has taken all that was kept.
 */
export class Output {
  readonly #descriptor: number;
  #kept: string[] = [];
  #size = 0;
  #isWriting = false;
  #lost = 0;
  #whenEmpty: (() => void)[] = [];
  onLoss: (texts: number) => void = () => {};

  constructor(descriptor: 1 | 2) {
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

  /** Resolves when all is written, and after a second at the latest: what is left then is given up. */
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
    let length = 0;
    let texts = 0;
    for (; texts < this.#kept.length && length < MOST_AT_ONCE; texts++) length += this.#kept[texts]?.length ?? 0;
    this.#isWriting = texts > 0;
    if (this.#isWriting) {
      this.#size -= length;
      this.#writeBytes(Buffer.from(this.#kept.splice(0, texts).join('')), texts);
    } else {
      for (const tell of this.#whenEmpty.splice(0)) tell();
    }
  }

  #writeBytes(bytes: Buffer, texts: number): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeBytes(bytes, texts), PAUSE).unref();
      } else if (!error && written < bytes.length) {
        this.#writeBytes(bytes.subarray(written), texts);
      } else {
        // Nobody reads it any more, or the disk is full: the next text is tried again.
        if (error) this.#lost += texts;
        else if (this.#kept.length === 0) this.#tellLoss();
        this.#writeNext();
      }
    });
  }

  #tellLoss(): void {
    const lost = this.#lost;
    this.#lost = 0;
    if (lost > 0) this.onLoss(lost);
  }
}

/**
 * A way to the same pipe or terminal on which a write fails at once where it would have to wait. The descriptor we were
 * given is shared with whoever started us, so how it behaves can change at any time. Files never wait for a reader.
 */
function withoutWaiting(descriptor: number): number {
  const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    const is = fstatSync(descriptor);
    if (!is.isFIFO() && !is.isCharacterDevice()) return descriptor;
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A pipe of another user, one that nobody reads, or not Linux: Node makes the descriptor itself such a one.
    return descriptor;
  }
}
