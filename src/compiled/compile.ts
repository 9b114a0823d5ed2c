import { type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode, valueFromASTUntyped } from 'graphql';
import type { Scope } from '../access/scopes.js';
import type { Bytes } from '../bytes.js';
import type { Provider } from '../database/migration-history.js';
import { errors } from '../errors.js';
import { fragmentsOf } from '../fragments.js';
import type { Resource } from '../model/resource.js';
import type { Operation } from '../operation/admission.js';
import { type MaybePromise, orElse, whenThere } from '../when-there.js';
import { allThere } from './all-there.js';
import { type Conditions, conditionsOf, hasDirectives } from './conditions.js';
import { describedFields } from './described.js';
import { dialects } from './dialect.js';
import type { CompiledField } from './outcome.js';
import { rootField } from './root.js';
import { NotCompilable, type Selected } from './selection.js';
import type { Compiling, Read } from './statement.js';
import { coercedVariables, type Variables } from './variables.js';

/** An operation as statements that answer with its JSON. */
export interface CompiledRead {
  /** The types it reads. Whoever may not read all of them is answered by the resolvers, field by field. */
  resources: ReadonlySet<Resource>;
  /** Further scopes that its fields ask for; of these too. */
  scopes: ReadonlySet<Scope>;
  /**
   * The fields of `data`, each with the JSON text of its value or with what the database said. Undefined where the
   * resolvers must answer: for arguments that are wrong, or that ask for what is not compiled.
   */
  run(variables: Variables, read: Read): MaybePromise<readonly CompiledField[] | undefined>;
}

/** What answers an operation, given its variables; undefined where the resolvers do. */
export type CompiledOperation = (variables: Variables) => CompiledRead | undefined;

/** Sets of conditions compiled for one operation, at most; the resolvers answer the others. */
const mostVariants = 16;

/** The operation compiled, or undefined where it is no plain read of the model. `document` must be valid. */
export function compileOperation(
  schema: GraphQLSchema,
  provider: Provider,
  answerLimit: number,
  { document, definition: operation }: Operation,
): CompiledOperation | undefined {
  if (operation.operation !== OperationTypeNode.QUERY || hasDirectives(operation)) return undefined;
  const fragments = fragmentsOf(document);
  const coerced = coercedVariables(schema, operation);
  const compile = (conditions: Conditions) =>
    compiledRead(
      {
        schema,
        fragments,
        conditions,
        dialect: dialects[provider],
        answerLimit,
        coerced,
        resources: new Set(),
        scopes: new Set(),
      },
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
    const query = compiling.schema.getQueryType();
    if (!query) return undefined;
    const fields = describedFields(query, [operation.selectionSet], compiling).map((field) => ({
      field,
      answer: rootField(compiling, query.name, field),
    }));
    const defaults = Object.fromEntries(
      (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
      ),
    );
    const hasDefaults = Object.keys(defaults).length > 0;
    const complete = (variables: Variables) => (hasDefaults ? { ...defaults, ...variables } : variables);
    return {
      resources: compiling.resources,
      scopes: compiling.scopes,
      run: (variables, read) => {
        const given = complete(variables);
        const prepared: (() => MaybePromise<CompiledField>)[] = [];
        const counted = countedUpTo(compiling.answerLimit);
        for (const { field, answer } of fields) {
          const ask = answer(given);
          if (!ask) return undefined;
          prepared.push(() => outcomeOf(field, () => counted(() => ask(read))));
        }
        return allThere(prepared);
      },
    };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

/** What became of a field. What the database says of itself is the answer: to ask it again by another way would not help. */
function outcomeOf({ key, nodes }: Selected, answer: () => MaybePromise<Bytes>): MaybePromise<CompiledField> {
  return orElse<CompiledField>(
    () => whenThere(answer(), (text) => ({ key, nodes, text })),
    (error) => ({ key, nodes, text: undefined, error }),
  );
}

/** Answers of fields, as long as all of them together are within the limit, to the byte. No field is asked for behind it. */
function countedUpTo(limit: number): (answer: () => MaybePromise<Bytes>) => MaybePromise<Bytes> {
  let left = limit;
  const check = () => {
    if (left < 0) throw errors.answerTooLarge(limit);
  };
  return (answer) => {
    check();
    return whenThere(answer(), (text) => {
      left -= text.length;
      check();
      return text;
    });
  };
}
