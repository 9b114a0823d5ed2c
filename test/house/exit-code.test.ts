import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test.each([0, 1])(
  'a run that came to %i ends with that, whatever the packages of the test databases do on the way out',
  async (code) => {
    const script = `await import('./test/support/postgresql.ts'); process.exitCode = ${code};`;
    const ended = await new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '--eval', script],
        { cwd: fileURLToPath(new URL('../../', import.meta.url)) },
        () => resolve(child.exitCode),
      );
    });
    expect(ended).toBe(code);
  },
);
