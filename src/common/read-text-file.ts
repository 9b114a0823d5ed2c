import { readFileSync } from 'node:fs';

/** The text of a file, without the byte order mark that some editors put before it. */
export const readTextFile = (path: string): string => readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
