/** A stage of the Dockerfile that is carried out in a folder, which stands for the root of the image's file system. */
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BuildContext } from './build-context.js';
import { environmentOf, type Instruction, type Stage, wordsOf } from './dockerfile.js';
import { isRoot, runIn } from './run-in.js';

/** The user `node` of the base images; who is not root can only be himself. */
const node = isRoot ? 1000 : (process.getuid?.() ?? 0);

export class StageFolder {
  folder = '/';
  /** Of the processes that run in it, beside what the machine has. */
  environment: Record<string, string> = {};
  user = 0;
  readonly volumes: string[] = [];
  entrypoint: string[] = [];
  command: string[] = [];
  /** The command of HEALTHCHECK. */
  healthcheck: string[] = [];

  constructor(
    private readonly root: string,
    private readonly context: BuildContext,
    private readonly stages: ReadonlyMap<string, StageFolder>,
  ) {
    mkdirSync(root, { recursive: true });
  }

  async carryOut({ instructions }: Stage): Promise<void> {
    for (const instruction of instructions) await this.#carryOut(instruction);
  }

  /** The same in this folder: `/data` of the image is not that of the machine. The only user that it knows is `node`. */
  here(text: string): string {
    return text.replaceAll(/(?<=^|[\s=:])\/(?=\w)/g, `${this.root}/`).replaceAll(/\bnode:node\b/g, `${node}:${node}`);
  }

  /** Where a path of the image is. */
  at(path: string): string {
    return join(this.root, resolve(this.folder, path));
  }

  async #carryOut({ name, text }: Instruction): Promise<void> {
    if (name === 'RUN') await runIn(this.at('.'), ['sh', '-c', this.here(text)], this.environment, `RUN ${text}`);
    else if (name === 'COPY') this.#copy(text.split(/\s+/));
    else if (name === 'WORKDIR') this.#enter(text);
    else if (name === 'ENV') Object.assign(this.environment, environmentOf(this.here(text)));
    else if (name === 'USER' && text === 'node') this.user = node;
    else if (name === 'VOLUME') this.volumes.push(this.at(text));
    else if (name === 'ENTRYPOINT') this.entrypoint = wordsOf(text).map((word) => this.here(word));
    else if (name === 'CMD') this.command = wordsOf(text);
    else if (name === 'HEALTHCHECK') this.healthcheck = wordsOf(text.replace(/^(--\S+\s+)*CMD\s+/, ''));
    else if (name !== 'EXPOSE') throw new Error(`It is not known here what this instruction does: ${name} ${text}`);
  }

  #enter(folder: string): void {
    this.folder = resolve(this.folder, folder);
    mkdirSync(this.at('.'), { recursive: true });
  }

  #copy(words: string[]): void {
    const from = /^--from=(.*)$/.exec(words[0] ?? '')?.[1];
    const [to = '', ...names] = words.slice(from === undefined ? 0 : 1).reverse();
    for (const name of names.reverse()) {
      if (from === undefined) this.context.copy(name, this.at(to), to.endsWith('/'));
      else cpSync(this.stages.get(from)?.at(name) ?? '', this.at(to), { recursive: true });
    }
  }
}
