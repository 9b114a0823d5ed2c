/** The one field at the top of an operation, and its arguments. */
import {
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import type { TranslationProblem } from './shell-words.js';

export type FieldArguments = Record<string, unknown>;

export interface RootField {
  operation: OperationDefinitionNode;
  field: FieldNode;
  /** The names of all fields in the document. */
  fields: ReadonlySet<string>;
}

export function rootField(document: string): RootField | TranslationProblem {
  try {
    const parsed = parse(document, { maxTokens: 10_000 });
    const { definitions } = parsed;
    const operations = definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? [each] : []));
    const [operation] = operations;
    if (!operation || operations.length > 1) return { problem: 'Paste one operation: it has none, or several.' };
    const [field, ...others] = operation.selectionSet.selections;
    if (field?.kind !== Kind.FIELD || others.length > 0) {
      return {
        problem: 'A call of REST does one thing: write one field, and no fragment, at the top of the operation.',
      };
    }
    const fields = new Set<string>();
    visit(parsed, { Field: ({ name }) => void fields.add(name.value) });
    return { operation, field, fields };
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) return { problem: 'It is nested too deep.' };
    if (!(error instanceof GraphQLError)) throw error;
    const [{ line = 1, column = 1 } = {}] = error.locations ?? [];
    return { problem: `It is not GraphQL: ${error.message.replace(/:? ".*$/s, '')}, line ${line}, column ${column}.` };
  }
}

/** The arguments that are given, with the values of variables and their defaults. */
export function givenArguments(
  { variableDefinitions = [] }: OperationDefinitionNode,
  field: FieldNode,
  given: FieldArguments,
): FieldArguments {
  const values: FieldArguments = {};
  for (const { variable, defaultValue } of variableDefinitions) {
    const { value: name } = variable.name;
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue && valueFromASTUntyped(defaultValue);
    if (value !== undefined) values[name] = value;
  }
  const args: FieldArguments = {};
  for (const { name, value } of field.arguments ?? []) {
    const isMissing = value.kind === Kind.VARIABLE && !Object.hasOwn(values, value.name.value);
    if (!isMissing) args[name.value] = valueFromASTUntyped(value, values);
  }
  return args;
}
