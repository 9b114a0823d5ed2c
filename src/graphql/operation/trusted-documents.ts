import { createHash } from 'node:crypto';
import { type GraphQLError, Kind, parse } from 'graphql';
import { ConfigError } from '../../common/config-error.js';
import { readJson } from '../../common/read-json.js';
import { readTextFile } from '../../common/read-text-file.js';
import type { CostReport } from '../limits/operation-cost.js';

/** Texts of operations by their SHA-256 in lower-case hexadecimal, and by their names in the list. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/**
 * Reads a list of trusted documents: a JSON object of hashes and texts, as graphql-codegen and the Relay compiler write
 * it. Each text can also be found by its SHA-256, whatever its key in the file. @throws ConfigError that says what is
 * wrong with the file
 */
export function readTrustedDocuments(path: string): TrustedDocuments {
  try {
    return read(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`TRUSTED_DOCUMENTS names ${path}, which cannot be used: ${reason}.`]);
  }
}

function read(path: string): TrustedDocuments {
  const listed: unknown = readJson(readTextFile(path));
  if (typeof listed !== 'object' || listed === null || Array.isArray(listed)) {
    throw new Error('it must hold one JSON object, {"<hash>": "<operation>", …}');
  }
  const documents = new Map<string, string>();
  for (const [name, text] of Object.entries(listed)) {
    if (typeof text !== 'string') throw new Error(`the operation ${quoted(name)} must be a string`);
    const key = name.toLowerCase();
    if ((documents.get(key) ?? text) !== text) {
      throw new Error(`${quoted(name)} names two operations: names that differ only in case are the same`);
    }
    documents.set(key, text);
    documents.set(createHash('sha256').update(text).digest('hex'), text);
  }
  return documents;
}

const quoted = (name: string): string => JSON.stringify(name.length <= 100 ? name : `${name.slice(0, 100)}…`);

/** The names of the operations in trusted documents. A text that does not parse has none; it is refused when it is asked. */
export const namesOfTrusted = (documents: TrustedDocuments): string[] =>
  [...new Set(documents.values())].flatMap(namesIn);

function namesIn(text: string): string[] {
  try {
    const { definitions } = parse(text);
    return definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION && each.name?.value) || []);
  } catch {
    return [];
  }
}

/**
 * Thrown for a document that cannot be parsed or is invalid. The errors have locations, but quote no values of the
 * document.
 */
export class DocumentRefused extends Error {
  /** `cost` is the operation's cost, if the document could be parsed. */
  constructor(
    readonly errors: readonly GraphQLError[],
    readonly cost?: CostReport,
  ) {
    super(errors[0]?.message ?? 'The document cannot be performed');
  }
}
