/** The files of this repository, as the tests of its own rules read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

export interface RepositoryFile {
  /** From the root, with `/`. */
  path: string;
  text: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const notOurs = new Set(['node_modules', 'generated', 'dist', 'coverage', 'data', '.git', '.tmp']);

/** The hand-written files below the folder; below the root where it is left out. */
export function filesIn(folder = ''): RepositoryFile[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name)) return [];
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [{ path, text: readFileSync(root + path, 'utf8') }] : [];
  });
}

/** The TypeScript files below the folders. */
export function typescriptIn(...folders: string[]): RepositoryFile[] {
  return folders.flatMap(filesIn).filter(({ path }) => path.endsWith('.ts'));
}

export interface Node {
  type: string;
  /** Where it stands in the text. */
  start: number;
  end: number;
}

/** Every node of the file's syntax tree. */
export function* nodesOf({ text }: RepositoryFile): Generator<Node & Record<string, unknown>> {
  yield* nodesIn(parseAst(text, { lang: 'ts' }));
}

function* nodesIn(value: unknown): Generator<Node & Record<string, unknown>> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  if (!isNode(value)) return;
  yield value;
  for (const part of Object.values(value)) yield* nodesIn(part);
}

function isNode(value: unknown): value is Node & Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}
