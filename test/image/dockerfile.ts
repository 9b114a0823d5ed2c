/** Reads a Dockerfile: its stages, and their instructions in order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/common/project.js';

export const dockerfile = join(projectFolder, 'docs/deploy/Dockerfile');

export interface Instruction {
  name: string;
  /** What follows the name, on one line. */
  text: string;
}

export interface Stage {
  /** The image that it begins with. */
  base: string;
  /** What follows AS; the last stage has none. */
  name: string | undefined;
  instructions: Instruction[];
}

export function stagesOf(file: string): Stage[] {
  const lines = readFileSync(file, 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: Stage[] = [];
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, name = '', text = ''] = /^([A-Z]+)\s+(.*\S)\s*$/.exec(line) ?? [];
    const [, base = '', , stage] = name === 'FROM' ? (/^(\S+)(\s+AS\s+(\S+))?$/.exec(text) ?? []) : [];
    if (base) stages.push({ base, name: stage, instructions: [] });
    else if (name && stages.length > 0) stages.at(-1)?.instructions.push({ name, text });
    else throw new Error(`${file} has a line that is no instruction known here: ${line}`);
  }
  return stages;
}

/** The words of `["node", "main.js"]`, in which form no shell is called. */
export function wordsOf(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Error(`These are no words: ${text}`);
}

/** The names and values of `A=1 B=2`. */
export const environmentOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(/\s+/).map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]));
