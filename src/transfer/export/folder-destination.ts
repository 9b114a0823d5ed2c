/** Where an export with a file per type goes: a folder, which gets its name when it is whole. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Destination, explained, fileDestination, removedBySignals, taken } from './destination.js';

/** Readable by this user only, as the database is. @throws TransferError */
export function folderDestination(name: string): Destination {
  const folder = resolve(name);
  if (existsSync(folder)) throw taken(folder);
  const partial = `${folder}.partial-${process.pid}`;
  try {
    mkdirSync(partial, { mode: 0o700 });
  } catch (error) {
    throw explained(folder, error);
  }
  const forget = removedBySignals(partial);
  let open: { type: string; file: Destination } | undefined;
  return {
    write: async (text, type) => {
      if (open?.type !== type) {
        await open?.file.end();
        open = { type, file: fileDestination(join(partial, `${type}.csv`)) };
      }
      await open.file.write(text, type);
    },
    end: async () => {
      await open?.file.end();
      if (existsSync(folder)) throw taken(folder);
      renameSync(partial, folder);
      forget();
    },
    abandon: () => {
      open?.file.abandon();
      rmSync(partial, { recursive: true, force: true });
      forget();
    },
  };
}
