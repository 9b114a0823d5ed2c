import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { projectCopy } from '../support/project-copy.js';

test('npm run migration writes one for each database from a change in the models', async () => {
  const project = projectCopy();
  const models = join(project, 'prisma/models/stock.prisma');
  const text = readFileSync(models, 'utf8');
  writeFileSync(
    models,
    text.replace(/^model UOMCategory \{\n/m, '$&  /// The colour of its label.\n  colour String?\n'),
  );
  const histories = [...providers, 'distributed'].map((provider) => join(project, 'prisma', provider, 'migrations'));
  const before = histories.map((history) => readdirSync(history));

  const { stdout } = await promisify(execFile)('npm', ['--prefix', project, 'run', 'migration', '--', 'add_colour']);

  const written = histories.map((history, index) => {
    const [name = '', ...others] = readdirSync(history).filter((entry) => !before[index]?.includes(entry));
    expect([name, others]).toEqual([expect.stringMatching(/^\d{14}_expand_add_colour$/), []]);
    const path = join(history, name, 'migration.sql');
    expect(stdout).toContain(`Wrote ${path}`);
    return readFileSync(path, 'utf8');
  });
  expect(written).toEqual([
    '-- AlterTable\nALTER TABLE "UOMCategory" ADD COLUMN "colour" TEXT;\n',
    '-- AlterTable\nALTER TABLE "UOMCategory" ADD COLUMN     "colour" TEXT COLLATE "C";\n',
    '-- AlterTable\nALTER TABLE "UOMCategory" ADD COLUMN     "colour" TEXT COLLATE "C";\n',
  ]);
});
