import { createHash } from 'node:crypto';
import { type GraphQLError, Kind, parse } from 'graphql';
import { ConfigError } from '../../common/config-error.js';
import { objectingTo, readForm, textsByName } from '../../common/read-form.js';
import type { CostReport } from '../limits/operation-cost.js';

/** Texts of operations by their SHA-256 in lower-case hexadecimal, and by their names in the list. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/**
 * Reads a list of trusted documents: a JSON object of hashes and texts, as graphql-codegen and the Relay compiler write
 * it. Each text can also be found by its SHA-256, whatever its key in the file. @throws ConfigError that says what is
 * wrong with the file
 */
export function readTrustedDocuments(path: string): TrustedDocuments {
  const problems: string[] = [];
  const object = objectingTo('TRUSTED_DOCUMENTS', path, problems);
  const documents = new Map<string, string>();
  for (const [name, text] of Object.entries(readForm(path, listed, object) ?? {})) {
    const key = name.toLowerCase();
    if ((documents.get(key) ?? text) !== text)
      object(`\`${name}\` names two operations: names that differ only in case are the same`);
    documents.set(key, text);
    documents.set(createHash('sha256').update(text).digest('hex'), text);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return documents;
}

const listed = textsByName('it must hold one JSON object, {"<hash>": "<operation>", …}');

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
