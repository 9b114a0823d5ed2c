import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/process.js';
import { projectCopy } from '../support/project-copy.js';

test('npm run dev starts the gateway from its sources, and anew when one of them changes', async () => {
  const project = projectCopy();
  const gateway = run('npm', ['--prefix', project, 'run', 'dev'], {});
  try {
    const before = await gateway.ready();
    const printed = gateway.output().length;
    appendFileSync(join(project, 'src/start/help.ts'), '\n// A change.\n');
    const urlPrintedAgain = () => /REST +(http:\S+)\/api[\s\S]*curl/.exec(gateway.output().slice(printed))?.[1];
    await expect.poll(urlPrintedAgain).toBeDefined();
    expect((await fetch(`${urlPrintedAgain()}/readyz`)).status).toBe(200);
    await expect(fetch(`${before}/readyz`)).rejects.toThrow();
  } finally {
    gateway.child.kill('SIGTERM');
    await gateway.ended;
  }
});
