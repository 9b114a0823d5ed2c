import { spawnSync } from 'node:child_process';

/** Fails if a program that a test needs is missing, so that no test is skipped silently. `.ci/run` installs it. */
export function requireProgram(program: string, debianPackage: string): void {
  if (spawnSync('which', [program]).status === 0) return;
  throw new Error(
    `${program} is missing, which this test needs. Install it: apt-get install --no-install-recommends ${debianPackage}`,
  );
}
