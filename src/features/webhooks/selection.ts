import { type DocumentNode, GraphQLError, Kind, OperationTypeNode, parse, print, visit } from 'graphql';

/** The longest selection, in characters. */
export const longestSelection = 10_000;

/** A selection of a webhook that cannot be used; the message is the end of a sentence that begins with its name. */
export class SelectionProblem extends Error {}

export interface PayloadQuery {
  /** The document that reads a record by its `$id` as `record`. */
  query: string;
  /** The types that the selection names by `... on`. */
  types: string[];
}

/**
 * The query that reads what a message holds of a record. The selection is on the webhook's type if it has exactly one,
 * otherwise on Node. @throws SelectionProblem if the text is anything but one selection
 */
export function payloadQuery(selection: string, types: readonly string[]): PayloadQuery {
  if (selection.length > longestSelection)
    throw new SelectionProblem(`must have ${longestSelection} characters at most`);
  if (/[\p{Cc}]/u.test(selection.replaceAll(/[\t\r\n]/g, ''))) throw new SelectionProblem('holds control characters');
  const document = parsed(selection);
  const [definition, ...others] = document.definitions;
  const isSelection =
    definition?.kind === Kind.OPERATION_DEFINITION &&
    definition.operation === OperationTypeNode.QUERY &&
    others.length === 0 &&
    selection.trimStart().startsWith('{');
  if (!isSelection) throw new SelectionProblem('must be one selection, such as `{ asset status }`');
  const [type, ...more] = types;
  const on = type !== undefined && more.length === 0 ? `... on ${type} ${print(definition.selectionSet)}` : undefined;
  const fields = on === undefined ? print(definition.selectionSet) : `{ ${on} }`;
  return { query: `query ($id: ID!) { record: node(id: $id) ${fields} }`, types: typesIn(document) };
}

function parsed(selection: string): DocumentNode {
  try {
    return parse(selection, { maxTokens: longestSelection });
  } catch (error) {
    if (error instanceof GraphQLError) throw new SelectionProblem(`cannot be parsed: ${error.message}`);
    throw error;
  }
}

function typesIn(document: DocumentNode): string[] {
  const types = new Set<string>();
  visit(document, {
    InlineFragment({ typeCondition }) {
      if (typeCondition) types.add(typeCondition.name.value);
    },
  });
  return [...types];
}
