/** The file of refused lines: a JSON object in each line, with every reason and the line itself. */
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { visibleLine } from '../../../common/output.js';
import type { Problem } from '../../../model/errors/problem.js';
import { TransferError } from '../transfer-error.js';
import type { RefusedLine } from './import-item.js';

export class RefusedLines {
  readonly #file: number;
  /** The bytes that belong to transactions that are committed. */
  #kept = 0;
  #size = 0;

  /** Goes on with the file of an import that was interrupted behind `lines`. @throws TransferError */
  constructor(path: string, lines: number) {
    const before = lines > 0 && existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    try {
      this.#file = openSync(path, lines > 0 ? 'a+' : 'wx', 0o600);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === 'EEXIST') throw new TransferError(`${path} exists. Give another name, or remove it.`);
      throw new TransferError(`${path} cannot be written (${code}).`);
    }
    // A refusal that was written but not committed is found again.
    for (const text of before) if (isUpTo(text, lines)) this.#kept += Buffer.byteLength(text) + 1;
    this.#size = this.#kept;
  }

  /** Keeps the refusals of a transaction until it is committed. */
  write(refusals: readonly RefusedLine[]): void {
    if (refusals.length === 0 && this.#size === this.#kept) return;
    ftruncateSync(this.#file, this.#kept);
    const text = refusals.map((refusal) => `${JSON.stringify(shownRefusal(refusal))}\n`).join('');
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    fsyncSync(this.#file);
    this.#size = this.#kept + bytes.length;
  }

  commit(): void {
    this.#kept = this.#size;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function isUpTo(text: string, lines: number): boolean {
  const [, line] = /^\{"line":(\d+),.*\}$/.exec(text) ?? [];
  return line !== undefined && Number(line) <= lines;
}

const shownRefusal = ({ line, text, problems }: RefusedLine) => ({
  line,
  problems: problems.map(({ path, code, message }) => ({ path: pathText(path), code, message })),
  text,
});

/** `line 7: consumedItems[2].itemCode is required` */
export const refusalText = ({ line, problems }: RefusedLine): string =>
  problems
    .map(({ path, message }) => visibleLine(`line ${line}: ${[pathText(path), message].filter(Boolean).join(' ')}`))
    .join('\n');

/** `consumedItems[2].itemCode` */
function pathText(path: Problem['path']): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}
