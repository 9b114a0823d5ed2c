/** The files that `docker build` hands to a COPY: those of the project that the `.dockerignore` of the Dockerfile lets through. */
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { projectFolder } from '../../src/common/project.js';

export class BuildContext {
  readonly #patterns: readonly string[];

  constructor(private readonly dockerfile: string) {
    const lines = readFileSync(`${dockerfile}.dockerignore`, 'utf8').split('\n');
    this.#patterns = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
    const unknown = this.#patterns.filter((pattern) => !/^(\*|!?[\w./-]+)$/.test(pattern));
    if (unknown.length > 0) throw new Error(`Patterns that are not known here: ${unknown.join(' ')}`);
  }

  /** Copies a file, or what a folder holds, to `to`; a file into it where that is to be a folder. */
  copy(name: string, to: string, isInto: boolean): void {
    const from = join(projectFolder, name);
    if (!existsSync(from)) throw new Error(`COPY names ${name}, which is not in the project`);
    if (!this.#has(name))
      throw new Error(`COPY names ${name}, which ${basename(this.dockerfile)}.dockerignore keeps out`);
    const target = isInto && !statSync(from).isDirectory() ? join(to, basename(name)) : to;
    cpSync(from, target, { recursive: true, filter: (path) => this.#has(relative(projectFolder, path)) });
  }

  /** The last pattern that matches a path, or a folder above it, decides. */
  #has(path: string): boolean {
    const last = this.#patterns.findLast((each) => {
      const pattern = each.replace(/^!/, '');
      return pattern === '*' || path === pattern || path.startsWith(`${pattern}/`);
    });
    return last === undefined || last.startsWith('!');
  }
}
