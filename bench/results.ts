import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../src/common/project.js';
import { canPin } from './processors.js';

/** Writes all measurements to bench/results/ and returns the path of the file. */
export function writeResults(mode: string, results: object): string {
  const folder = join(projectFolder, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString();
  const file = join(folder, `${date.slice(0, 19).replaceAll(':', '')}-${mode}.json`);
  writeFileSync(file, `${JSON.stringify({ date, commit: commit(), machine: machine(), ...results }, undefined, 2)}\n`);
  return file;
}

export function machine() {
  const processors = cpus();
  return {
    processor: processors[0]?.model,
    processors: processors.length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    serverAndLoadApart: canPin,
  };
}

function commit(): string | undefined {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: projectFolder, stdio: 'pipe' })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}
