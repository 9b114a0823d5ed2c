/** The command line as it is typed, in this process. */
import { Readable, Writable } from 'node:stream';
import { createRestApi } from '../../rest/rest.js';
import { runRecords } from '../../src/cli/run.js';
import { features } from '../../src/features.js';
import type { Feature } from '../../src/gateway/feature.js';
import { freshFolder } from '../support/database.js';

export interface Outcome {
  code: number;
  /** What was printed. */
  text: string;
  /** What was written to standard error. */
  problem: string;
}

/** Runs `records` with these words and environment, and nothing else of ours, in `folder`, by default a new one. */
export async function records(
  words: readonly string[],
  environment: Record<string, string> = {},
  folder = freshFolder(),
  input = '',
  given: readonly Feature[] = features,
): Promise<Outcome> {
  let text = '';
  let problem = '';
  const surroundings = {
    features: given,
    program: { path: '', words: [] },
    environment,
    folder,
    input: () => input,
    inputStream: () => Readable.from(input === '' ? [] : [Buffer.from(input)]),
    outputStream: () =>
      new Writable({
        decodeStrings: false,
        write: (more, _encoding, done) => {
          text += more;
          done();
        },
      }),
    isTerminal: false,
    printsToTerminal: false,
    print: (more: string) => {
      text += more;
    },
    printError: (more: string) => {
      problem += more;
    },
  };
  const code = await runRecords(words, surroundings, async () => createRestApi);
  return { code, text, problem };
}
