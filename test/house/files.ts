/** The files of this repository, for the tests of its own rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

export interface RepositoryFile {
  /** From the root, with `/`. */
  path: string;
  text: string;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
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
  return folders.flatMap(filesIn).filter(({ path }) => /\.tsx?$/.test(path));
}

export interface Node {
  type: string;
  /** Where it stands in the text. */
  start: number;
  end: number;
}

export type SyntaxNode = Node & Record<string, unknown>;

/** Every node of the file's syntax tree, outer ones first. */
export function nodesOf({ path, text }: RepositoryFile): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  collect(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), nodes);
  return nodes;
}

function collect(value: unknown, nodes: SyntaxNode[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, nodes);
  if (!isNode(value)) return;
  nodes.push(value);
  for (const key in value) collect(value[key], nodes);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}
