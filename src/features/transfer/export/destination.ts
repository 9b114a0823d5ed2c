/** Where an export goes: a file or a folder with a file per type, which gets its name when it is whole, or a stream. */
import { createWriteStream, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ReaderGoneError } from '../../../cli/command.js';
import { atSignals } from '../../../cli/process.js';
import { writeProblem } from '../../../common/write-problem.js';
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

/** `where` names it in messages. */
export function streamDestination(stream: Writable, where = 'Standard output'): Destination {
  let failure: Error | undefined;
  let wake = () => {};
  const failed = (error: Error) => {
    failure ??= explained(where, error);
    wake();
  };
  stream.on('error', failed);
  const leave = () => {
    stream.off('error', failed);
  };
  /** Resolves when this text, and so all before it, has been taken. */
  const taken = (text: string) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      stream.write(text, (error) => {
        if (error) failed(error);
        resolve();
      });
    });
  return {
    write: async (text) => {
      if (failure) throw failure;
      await taken(text);
      if (failure) throw failure;
    },
    end: async () => leave(),
    abandon: leave,
  };
}

/** Readable by this user only, as the database is. @throws TransferError */
export function fileDestination(name: string): Destination {
  const file = resolve(name);
  const held = folderFor(file);
  const partial = join(held.folder, 'part');
  const { write, end, abandon } = partDestination(partial, file);
  return {
    write,
    end: async () => {
      await end();
      nameOnce(partial, file);
      held.leave();
    },
    abandon: () => {
      abandon();
      held.leave();
    },
  };
}

/** The same, with a file for each type in a new folder. @throws TransferError */
export function folderDestination(name: string): Destination {
  const folder = resolve(name);
  const held = folderFor(folder);
  const partial = join(held.folder, 'part');
  mkdirSync(partial, { mode: 0o700 });
  let open: { type: string; file: Destination } | undefined;
  return {
    write: async (text, type) => {
      if (open?.type !== type) {
        await open?.file.end();
        open = { type, file: partDestination(join(partial, `${type}.csv`), folder) };
      }
      await open.file.write(text, type);
    },
    end: async () => {
      await open?.file.end();
      if (existsSync(folder)) throw taken(folder);
      renameSync(partial, folder);
      held.leave();
    },
    abandon: () => {
      open?.file.abandon();
      held.leave();
    },
  };
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

/** A new file `part` of what will be `whole`. */
function partDestination(part: string, whole: string): Destination {
  const stream = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
  const { write, abandon } = streamDestination(stream, whole);
  return {
    write,
    end: async () => {
      try {
        await finished(stream.end());
      } catch (error) {
        throw explained(whole, error);
      }
    },
    abandon: () => {
      abandon();
      // Errors of an abandoned file do not matter.
      stream.on('error', () => undefined).destroy();
    },
  };
}

const taken = (file: string) => new TransferError(`${file} exists. Give another name, or remove it.`);

/** Gives a file its name, unless another file has got it meanwhile: unlike a rename, a link overwrites nothing. */
function nameOnce(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (existsSync(file)) throw taken(file);
    const isLinkless = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error));
    if (!isLinkless) throw explained(file, error);
    renameSync(partial, file);
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

function explained(where: string, error: unknown): Error {
  const code = codeOf(error);
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new ReaderGoneError(`Nobody reads ${where} any more`);
  const problem = writeProblem(where, error);
  if (problem !== undefined) return new TransferError(problem);
  return error instanceof Error ? error : new Error(String(error));
}
