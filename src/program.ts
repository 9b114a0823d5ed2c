/** The command line: all that the process hands to a command. */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runRecords } from './cli/run.js';
import { Output } from './common/output.js';
import { features } from './features.js';

// V8 makes a kind of object among the old ones at once if many of that kind have lived for long. After 64 saves of 20 lines it
// did so with the objects of every answer, so that each answer's text stayed in memory until V8 collected old objects: of 24,000
// reads by id, 30 MB outlived short collections instead of 0.8, and these took twice as long.
setFlagsFromString('--no-allocation-site-pretenuring');

/** Runs the command that the arguments name; `path` is that of the program, with which it starts further processes. */
export async function runProgram(path: string): Promise<void> {
  // Node prints its own warnings there too; without a reader that would raise an unhandled error.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});

  const errorOutput = new Output(2);
  // Keeps this process alive: a reader process of SQLite does not do so while it starts, and the command would end early.
  const held = setInterval(() => {}, 60_000);
  const words = process.argv.slice(2);
  const surroundings = {
    program: { path, words },
    features,
    environment: process.env,
    folder: process.cwd(),
    input: () => readFileSync(0, 'utf8'),
    inputStream: () => process.stdin,
    outputStream: () => process.stdout,
    isTerminal: process.stderr.isTTY === true,
    printsToTerminal: process.stdout.isTTY === true,
    print: (text: string) => process.stdout.write(text),
    printError: (text: string) => errorOutput.write(text),
  };
  const code = await runRecords(words, surroundings, async () => (await import('../rest/rest.js')).createRestApi);
  clearInterval(held);
  if (code !== 0) {
    await errorOutput.flush();
    process.exit(code);
  }
}
