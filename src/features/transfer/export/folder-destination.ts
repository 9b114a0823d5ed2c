/** Where an export with a file per type goes: a folder, which gets its name when it is whole. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Destination, folderFor, partDestination, taken } from './destination.js';

/** Readable by this user only, as the database is. @throws TransferError */
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
