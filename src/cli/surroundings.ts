import type { Readable, Writable } from 'node:stream';

/** The environment in which a command runs; tests pass another one. */
export interface Surroundings {
  /** The program itself and its arguments, with which it starts further processes of its kind. */
  program: { path: string; words: readonly string[] };
  environment: Readonly<Record<string, string | undefined>>;
  /** The current folder, which may hold a file `.env`. */
  folder: string;
  /** The whole standard input. */
  input(): string;
  /** Standard input and standard output, for commands that read or write much. */
  inputStream(): Readable;
  outputStream(): Writable;
  /** Whether standard error is a terminal, on which a line can be written anew. */
  isTerminal: boolean;
  /** Whether standard output is a terminal, on which others may read what is printed. */
  printsToTerminal: boolean;
  /** Receives the standard output. */
  print(text: string): void;
  /** Receives what is written to standard error. */
  printError(text: string): void;
}
