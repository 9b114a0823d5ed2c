/** Where an export goes: a file, which gets its name when it is whole, or a stream. */
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { TransferError, UnreadError } from '../transfer-error.js';

export interface Destination {
  /** Resolves when more may be written. @throws UnreadError */
  write(text: string): Promise<void>;
  /** Resolves when everything is on disk. */
  end(): Promise<void>;
  /** Removes what is not whole. */
  abandon(): void;
}

export function streamDestination(stream: Writable): Destination {
  let failure: Error | undefined;
  let wake = () => {};
  const failed = (error: Error) => {
    failure ??= explained('Standard output', error);
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
  if (existsSync(file)) throw new TransferError(`${file} exists. Give another name, or remove it.`);
  const partial = `${file}.partial-${process.pid}`;
  const stream = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  const { write, abandon } = streamDestination(stream);
  const told = async <Result>(work: Promise<Result>) => {
    try {
      return await work;
    } catch (error) {
      throw explained(file, error);
    }
  };
  return {
    write: (text) => told(write(text)),
    end: async () => {
      await told(finished(stream.end()));
      renameSync(partial, file);
    },
    abandon: () => {
      abandon();
      // The error of a file that is not wanted any more.
      stream.on('error', () => undefined).destroy();
      rmSync(partial, { force: true });
    },
  };
}

function explained(where: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new UnreadError(`Nobody reads ${where} any more`);
  if (code === 'ENOSPC') return new TransferError(`There is no room for ${where}. Make room.`);
  if (['ENOENT', 'EACCES', 'EROFS', 'ENOTDIR', 'EISDIR'].includes(code)) {
    return new TransferError(`${where} cannot be written (${code}). Give a file in a folder that this user may write.`);
  }
  return error instanceof Error ? error : new Error(String(error));
}
