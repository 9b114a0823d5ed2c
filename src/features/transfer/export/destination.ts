/** Where an export goes: a file or a folder with a file per type, which gets its name when it is whole, or a stream. */
import { appendFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { ReaderGoneError } from '../../../cli/command.js';
import { atSignals } from '../../../cli/process.js';
import { systemCode, writeProblem } from '../../../common/write-problem.js';
import { type HeldFolder, holdFolder } from '../../../database/held-folder.js';
import { TransferError } from '../reports.js';

export interface Destination {
  /** Takes documents of a type. Resolves when more may be written. @throws ReaderGoneError */
  write(text: string, type: string): Promise<void>;
  /** Resolves when everything is on disk. */
  end(): Promise<void>;
  /** Removes what is not whole. */
  abandon(): void;
}

export function streamDestination(stream: Writable): Destination {
  // Each write says it too; without a listener it would end the process.
  stream.on('error', () => undefined);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        // Called when this text, and so all before it, has been taken.
        stream.write(text, (error) => (error ? reject(explained('Standard output', error)) : resolve()));
      }),
    end: async () => undefined,
    abandon: () => undefined,
  };
}

/**
 * A file, or a new folder with a file of CSV for each type. Readable by this user only, as the database is.
 * @throws TransferError
 */
export function fileDestination(name: string, isFolder = false): Destination {
  const whole = resolve(name);
  const { folder, leave } = folderFor(whole);
  const partial = join(folder, 'part');
  if (isFolder) mkdirSync(partial, { mode: 0o700 });
  const partOf = (type: string) => (isFolder ? join(partial, `${type}.csv`) : partial);
  const parts = new Set(isFolder ? [] : [partial]);
  return {
    write: async (text, type) => {
      const part = partOf(type);
      parts.add(part);
      append(part, text, whole);
    },
    end: async () => {
      for (const part of parts) append(part, '', whole, true);
      nameOnce(partial, whole);
      leave();
    },
    abandon: leave,
  };
}

/** Adds to a part of what will be `whole`; with `flush` everything in it is then on disk. */
function append(part: string, text: string, whole: string, flush = false): void {
  try {
    appendFileSync(part, text, { mode: 0o600, flush });
  } catch (error) {
    throw explained(whole, error);
  }
}

/** A folder for what will be `path`. It is removed also when somebody ends the process. @throws TransferError */
function folderFor(path: string): HeldFolder {
  if (existsSync(path)) throw taken(path);
  // Before the folder is made: without it a signal would end the process at once.
  const forget = atSignals(() => held?.leave());
  let held: HeldFolder | undefined;
  try {
    held = holdFolder(path, 'partial');
  } catch (error) {
    forget();
    throw explained(path, error);
  }
  const { folder, leave } = held;
  return {
    folder,
    leave: () => {
      leave();
      forget();
    },
  };
}

const taken = (file: string) => new TransferError(`${file} exists. Give another name, or remove it.`);

/**
 * Gives a file its name, unless another file has got it meanwhile: unlike a rename, a link overwrites nothing. Folders have
 * no links, and a rename of one overwrites no more than an empty folder.
 */
function nameOnce(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (existsSync(file)) throw taken(file);
    const isLinkless = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error));
    if (!isLinkless) throw explained(file, error);
    renameSync(partial, file);
  }
}

function explained(where: string, error: unknown): Error {
  const code = systemCode(error);
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new ReaderGoneError(`Nobody reads ${where} any more`);
  const problem = writeProblem(where, error);
  if (problem !== undefined) return new TransferError(problem);
  return error instanceof Error ? error : new Error(String(error));
}
