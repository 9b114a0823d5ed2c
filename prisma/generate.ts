/**
 * `npm run generate`: generates the Prisma clients for SQLite and PostgreSQL, Pothos' types and the datamodel from the
 * same models, without a network. Prisma's CLI downloads its schema engine before every command, even for `generate`,
 * which never calls it; naming any program as the engine skips the download. The variable is set only for this command:
 * with it, `migrate` and `db push` would silently do nothing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const prismaFolder = import.meta.dirname;
const prismaCli = createRequire(import.meta.url).resolve('prisma/build/index.js');

rmSync(resolve(prismaFolder, '../src/generated'), { recursive: true, force: true });
generate(prismaFolder);
generateForPostgresql();

/**
 * Generates from the same models with another provider. The copy is next to the original, so that relative paths still
 * work.
 */
function generateForPostgresql(): void {
  const copy = mkdtempSync(join(dirname(prismaFolder), '.prisma-postgresql-'));
  try {
    cpSync(join(prismaFolder, 'models'), join(copy, 'models'), { recursive: true });
    const schema = readFileSync(join(prismaFolder, 'schema.prisma'), 'utf8');
    writeFileSync(
      join(copy, 'schema.prisma'),
      keepBlocks(schema, ['generator client', 'datasource db'])
        .replace('provider = "sqlite"', 'provider = "postgresql"')
        .replace('generated/sqlite', 'generated/postgresql'),
    );
    generate(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function keepBlocks(schema: string, names: string[]): string {
  const blocks = schema.match(/^(generator|datasource) \w+ \{[^}]*\}/gm) ?? [];
  return blocks.filter((block) => names.some((name) => block.startsWith(name))).join('\n\n');
}

function generate(folder: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [prismaCli, 'generate', '--schema', folder], {
    encoding: 'utf8',
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  throw new Error(`prisma generate failed for ${folder}; see the messages above`);
}
