import { spawnSync } from 'node:child_process';

/** Fails where a program is missing that a test needs: it is not left out in silence. `.ci/run` installs it. */
export function requireProgram(program: string, debianPackage: string): void {
  if (spawnSync('which', [program]).status === 0) return;
  throw new Error(
    `${program} is missing, which this test needs. Install it: apt-get install --no-install-recommends ${debianPackage}`,
  );
}
