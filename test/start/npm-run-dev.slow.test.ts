import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/process.js';
import { projectCopy } from '../support/project-copy.js';

test('npm run dev starts the gateway from its sources, and anew when one of them changes', async () => {
  const project = projectCopy();
  const gateway = run('npm', ['--prefix', project, 'run', 'dev'], {});
  try {
    const before = await gateway.ready();
    expect((await fetch(`${before}/readyz`)).status).toBe(200);
    // The restart runs the changed file; here that is one that starts faster than another gateway.
    writeFileSync(join(project, 'src/main.ts'), 'console.log("as it is now");\n');
    await expect.poll(() => gateway.output()).toContain('as it is now');
    await expect(fetch(`${before}/readyz`)).rejects.toThrow();
  } finally {
    gateway.child.kill('SIGTERM');
    await gateway.ended;
  }
});
