import { type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode, valueFromASTUntyped } from 'graphql';
import { fragmentsOf } from '../../common/fragments.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { Turns } from '../../database/turns.js';
import type { Operation } from '../../graphql/operation/admission.js';
import type { Resource } from '../../model/resource.js';
import type { Scope } from '../../model/scopes.js';
import { dialects } from '../sql/dialect.js';
import type { CompileContext, RunQuery } from '../sql/statement.js';
import type { CompiledField } from './compiled-field.js';
import { type Conditions, conditionsOf, hasDirectives } from './conditions.js';
import { describedFields } from './described-fields.js';
import { answered, answeredAlone, prepared } from './prepared-fields.js';
import { readOnce } from './read-once.js';
import { compileRootField } from './root-field.js';
import { NotCompilable } from './selection.js';
import { coercedVariables, type Variables } from './variables.js';

/** A compiled query: SQL statements that return its JSON. */
export interface CompiledRead {
  /** The record types it reads. A caller who may not read all of them is answered by the resolvers, field by field. */
  resources: ReadonlySet<Resource>;
  /** Scopes that its fields need in addition. */
  scopes: ReadonlySet<Scope>;
  /** The record types to which its filters follow links, whose records a caller must be allowed to read too. */
  filtered(variables: Variables): Iterable<Resource>;
  /**
   * The fields of `data`, each with its JSON text or the database's error. Undefined for arguments that the resolvers
   * must handle, because they are invalid or not compiled. With `atOnce`, the event loop serves no other request
   * between the fields.
   */
  run(variables: Variables, read: RunQuery, atOnce?: 'at once'): MaybePromise<readonly CompiledField[] | undefined>;
}

/** Selects the compiled form for a request's variables; undefined if the resolvers answer. */
export type CompiledQuery = (variables: Variables) => CompiledRead | undefined;

/** The most variants of one operation, by the values of `@include` and `@skip`; the resolvers answer all others. */
const mostVariants = 16;

/** Compiles an operation; undefined if it is not a plain read. */
export function compileOperation(
  schema: GraphQLSchema,
  provider: Provider,
  answerLimit: number,
  { document, definition: operation }: Operation,
): CompiledQuery | undefined {
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
        filtered: [],
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
    // Coercing all variables also checks those of skipped fields, which nothing else would check.
    const conditions = coerced(variables) && conditionsIn(coerced(variables) ?? {});
    const key = conditions && JSON.stringify(conditions);
    if (key === undefined || (!variants.has(key) && variants.size === mostVariants)) return undefined;
    const read = variants.get(key) ?? compile(conditions ?? {}) ?? 'not a plain read';
    variants.set(key, read);
    return read === 'not a plain read' ? undefined : read;
  };
}

function compiledRead(compiling: CompileContext, operation: OperationDefinitionNode): CompiledRead | undefined {
  try {
    const query = compiling.schema.getQueryType();
    if (!query) return undefined;
    const fields = describedFields(query, [operation.selectionSet], compiling).map((field) => ({
      field,
      answer: compileRootField(compiling, query.name, field),
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
      filtered: (variables) => {
        if (compiling.filtered.length === 0) return [];
        const given = complete(variables);
        return compiling.filtered.flatMap((linked) => [...linked(given)]);
      },
      run: (variables, read, atOnce) => {
        const given = complete(variables);
        const [only] = fields;
        if (only && fields.length === 1) {
          const textOf = only.answer(given);
          return textOf && answeredAlone({ field: only.field, textOf }, read, compiling.answerLimit);
        }
        const turns = atOnce ? undefined : new Turns();
        return whenResolved(prepared(fields, given, turns), (questions) =>
          questions ? answered(questions, readOnce(read), compiling.answerLimit, turns) : undefined,
        );
      },
    };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}
