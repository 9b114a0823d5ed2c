import { Kind, parse } from 'graphql';
import type { TrustedDocuments } from './trusted-documents.js';

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
