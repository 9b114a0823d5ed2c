import type { DocumentNode } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { CompiledReads } from '../compiled/reads.js';
import type { RequestContext } from '../context.js';
import type { Yoga } from './yoga.js';

/** Operations remembered by their text, so that one that comes again is neither parsed nor validated. */
const operationsKept = 1000;
/** Longer ones are seldom sent twice. */
const longestKept = 20_000;

/**
 * The JSON text of an operation's `data` where it is a plain read, else undefined: then Yoga answers. An operation is
 * parsed and validated as Yoga does it, by the same plugins, before it is read the first time.
 */
export type ReadOperation = (
  operation: GraphQLParams,
  context: RequestContext,
) => string | undefined | Promise<string | undefined>;

export function createReadOperation(yoga: Yoga, reads: CompiledReads): ReadOperation {
  /** Null where the text is no valid operation. */
  const documents = new Map<string, DocumentNode | null>();

  const documentOf = (operation: GraphQLParams, text: string, context: RequestContext): DocumentNode | null => {
    const known = documents.get(text);
    if (known !== undefined) return known;
    const document = validDocument(yoga, { ...context, operation }, text);
    documents.set(text, document);
    if (documents.size > operationsKept)
      for (const oldest of documents.keys()) {
        documents.delete(oldest);
        break;
      }
    return document;
  };

  return (operation, context) => {
    const { query, operationName, variables, extensions, ...others } = operation;
    if (typeof query !== 'string' || query.length > longestKept || extensions != null) return undefined;
    if (Object.keys(others).length > 0 || !isName(operationName) || !isVariables(variables)) return undefined;
    const document = documentOf(operation, query, context);
    return document ? reads.textOf(document, operationName, variables ?? {}, context) : undefined;
  };
}

function validDocument(yoga: Yoga, context: Parameters<Yoga['getEnveloped']>[0], text: string): DocumentNode | null {
  const { schema, parse, validate } = yoga.getEnveloped(context);
  try {
    const document: DocumentNode = parse(text);
    return validate(schema, document).length === 0 ? document : null;
  } catch {
    return null;
  }
}

const isName = (value: unknown): value is string | null | undefined => value == null || typeof value === 'string';

const isVariables = (value: unknown): value is Record<string, unknown> | null | undefined =>
  value == null || (typeof value === 'object' && !Array.isArray(value));
