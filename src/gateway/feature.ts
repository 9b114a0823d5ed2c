/** What a feature is: a folder in `src/features/` whose `index.ts` says all that it adds to the gateway. */
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import type { SchemaPart } from '../graphql/schema-part.js';

export interface Feature {
  /** The name of its folder. */
  name: string;
  /** Adds its commands to the command line. What a command does is loaded when it is asked for. */
  commands?(program: Command, surroundings: Surroundings): void;
  /** Loads what it adds to a gateway that serves, so that no other process has to hold it in memory. */
  served?(): Promise<ServedFeature>;
}

/** What a feature adds to a gateway that serves, and to commands that need the schema. */
export interface ServedFeature extends SchemaPart {}

/** Loads all that these features add to a gateway that serves, in their order. */
export const servedFeatures = (features: readonly Feature[]): Promise<ServedFeature[]> =>
  Promise.all(features.flatMap(({ served }) => (served ? [served()] : [])));

/** The environment in which a command runs; tests pass another one. */
export interface Surroundings {
  /** All features of this gateway. */
  features: readonly Feature[];
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
