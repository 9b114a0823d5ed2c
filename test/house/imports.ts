import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { nodesOf, type RepositoryFile, root } from './files.js';

export interface Import {
  from: string;
  /** A file of the repository from its root, or the name of a package. */
  to: string;
  isPackage: boolean;
}

/** Everything a file imports or passes on, types included, whether at its top or while it runs. */
export function importsOf(file: RepositoryFile): Import[] {
  return specifiersOf(file).map((specifier) => {
    const isPackage = !specifier.startsWith('.');
    const to = isPackage ? packageOf(specifier) : pathOf(file.path, specifier);
    return { from: file.path, to, isPackage };
  });
}

function specifiersOf(file: RepositoryFile): string[] {
  const specifiers: string[] = [];
  for (const { type, source } of nodesOf(file)) {
    if (!/^(Import|Export)/.test(type) || typeof source !== 'object' || source === null) continue;
    if ('value' in source && typeof source.value === 'string') specifiers.push(source.value);
  }
  return specifiers;
}

function pathOf(from: string, specifier: string): string {
  const path = posix.join(posix.dirname(from), specifier);
  const withMarkup = path.replace(/\.js$/, '.tsx');
  return existsSync(root + withMarkup) ? withMarkup : path.replace(/\.js$/, '.ts');
}

/** `@prisma/client/runtime` → `@prisma/client`, `node:fs/promises` → `node:fs` */
const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
