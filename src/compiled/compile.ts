import {
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Provider } from '../database/migration-history.js';
import { fragmentsOf } from '../fragments.js';
import type { Resource } from '../model/resource.js';
import { whenThere } from '../when-there.js';
import { type Conditions, conditionsOf } from './conditions.js';
import { dialects } from './dialect.js';
import { rootField } from './root.js';
import { NotCompilable, objectType, selectedFields } from './selection.js';
import type { Compiling, Read, RootField, Text } from './statement.js';
import { coercedVariables, type Variables } from './variables.js';

/** An operation as statements that answer with its JSON. */
export interface CompiledRead {
  /** The types it reads. Whoever may not read all of them is answered by the resolvers, field by field. */
  resources: ReadonlySet<Resource>;
  /**
   * The JSON text of `data`. Undefined where the resolvers must answer: for arguments that are wrong, or that ask for
   * what is not compiled. Throws what the database throws.
   */
  run(variables: Variables, read: Read): Text | Promise<Text>;
  /** The same for the value of the first field of `data` alone. */
  first(variables: Variables, read: Read): Text | Promise<Text>;
}

/** What answers an operation, given its variables; undefined where the resolvers do. */
export type CompiledOperation = (variables: Variables) => CompiledRead | undefined;

/** Sets of conditions compiled for one operation, at most; the resolvers answer the others. */
const mostVariants = 16;

/** The operation compiled, or undefined where it is no plain read of the model. `document` must be valid. */
export function compileOperation(
  schema: GraphQLSchema,
  provider: Provider,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledOperation | undefined {
  if (operation.operation !== OperationTypeNode.QUERY || operation.directives?.length) return undefined;
  const fragments = fragmentsOf(document);
  const coerced = coercedVariables(schema, document, operation);
  const compile = (conditions: Conditions) =>
    compiledRead(
      { schema, fragments, conditions, dialect: dialects[provider], coerced, resources: new Set() },
      operation,
    );

  const conditionsIn = conditionsOf(document, operation);
  if (!conditionsIn) {
    const read = compile({});
    return read && (() => read);
  }
  const variants = new Map<string, CompiledRead | 'not a plain read'>();
  return (variables) => {
    // Those of what is left out, which nothing else would look at, must be in order too.
    const conditions = coerced(variables) && conditionsIn(coerced(variables) ?? {});
    const key = conditions && JSON.stringify(conditions);
    if (key === undefined || (!variants.has(key) && variants.size === mostVariants)) return undefined;
    const read = variants.get(key) ?? compile(conditions ?? {}) ?? 'not a plain read';
    variants.set(key, read);
    return read === 'not a plain read' ? undefined : read;
  };
}

function compiledRead(compiling: Compiling, operation: OperationDefinitionNode): CompiledRead | undefined {
  try {
    const query = objectType(compiling.schema, 'Query');
    const fields = selectedFields(query, [operation.selectionSet], compiling).map((field): [string, RootField] => [
      JSON.stringify(field.key),
      rootField(compiling, field),
    ]);
    const defaults = Object.fromEntries(
      (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
      ),
    );
    const hasDefaults = Object.keys(defaults).length > 0;
    const complete = (variables: Variables) => (hasDefaults ? { ...defaults, ...variables } : variables);
    return {
      resources: compiling.resources,
      run: (variables, read) => joined(fields, complete(variables), read),
      first: (variables, read) => fields[0]?.[1](complete(variables), read),
    };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

function joined(fields: readonly [string, RootField][], variables: Variables, read: Read): Text | Promise<Text> {
  const [first] = fields;
  if (first && fields.length === 1) {
    return whenThere(textOf(first[1], variables, read), (text) => text && `{${first[0]}:${text}}`);
  }
  const texts = fields.map(([, field]) => textOf(field, variables, read));
  return texts.every(isThere) ? objectText(fields, texts) : Promise.all(texts).then((all) => objectText(fields, all));
}

/** A field that throws leaves the reads of those before it under way; their own failures must still be heard. */
function textOf(field: RootField, variables: Variables, read: Read): Text | Promise<Text> {
  try {
    return field(variables, read);
  } catch {
    return undefined;
  }
}

const isThere = (text: Text | Promise<Text>): text is Text => !(text instanceof Promise);

function objectText(fields: readonly [string, RootField][], texts: readonly Text[]): Text {
  let data = '';
  for (const [index, [key]] of fields.entries()) {
    const text = texts[index];
    if (text === undefined) return undefined;
    data += `${data ? ',' : ''}${key}:${text}`;
  }
  return `{${data}}`;
}
