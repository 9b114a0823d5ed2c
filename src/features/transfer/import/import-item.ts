import type { Values } from '../../../model/change.js';
import type { Problem } from '../../../model/errors/problem.js';
import type { Resource } from '../../../model/resource.js';

/** A line of the input. */
export interface ImportItem {
  line: number;
  text: string;
  /** Undefined for a line that was refused before anything was read. */
  document: ImportDocument | undefined;
  problems: readonly Problem[];
}

export interface ImportDocument {
  resource: Resource;
  values: Values;
  /** What a new document lacks; a document that exists already may leave it out. */
  missing: readonly Problem[];
}

/** A line that was refused, with every reason. */
export interface RefusedLine {
  line: number;
  text: string;
  problems: readonly Problem[];
}

/** The ids that a document brings: its own and those of its lines, by type. */
export function* idsIn({ resource, values }: ImportDocument): Generator<[Resource, string]> {
  if (typeof values.id === 'string') yield [resource, values.id];
  for (const { resource: line, field } of resource.lines) {
    const list = values[field];
    if (!Array.isArray(list)) continue;
    for (const each of list) if (typeof each.id === 'string') yield [line, each.id];
  }
}

/** Which of its lines a document names twice. */
export function repeatedIds(document: ImportDocument): Problem[] {
  const known = new Set<string>();
  const problems: Problem[] = [];
  for (const [, id] of idsIn(document)) {
    if (known.has(id)) {
      problems.push({ path: [], code: 'parameter_invalid', message: `names ${id} twice` });
    }
    known.add(id);
  }
  return problems;
}
