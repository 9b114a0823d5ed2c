#!/usr/bin/env node
/** The program of the command line: `records <command>`. */
import './build/node-version.mjs';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// A Node that is refused could not even link these.
const [{ runRecords }, { Output }, { features }] = await Promise.all([
  import('./cli/run.js'),
  import('./common/output.js'),
  import('./features.js'),
]);

// Node prints its own warnings there too; without a reader that would raise an unhandled error.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const errorOutput = new Output(2);
// Keeps this process alive: a reader process of SQLite does not do so while it starts, and the command would end early.
const held = setInterval(() => {}, 60_000);
const words = process.argv.slice(2);
const loadApi = async () => (await import('../rest/rest.js')).createRestApi;
const surroundings = {
  program: { path: fileURLToPath(import.meta.url), words },
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
const code = await runRecords(words, surroundings, loadApi);
clearInterval(held);
if (code !== 0) {
  await errorOutput.flush();
  process.exit(code);
}
