import type { GraphQLSchema } from 'graphql';
import { fragmentsOf } from '../../common/fragments.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { type Names, selectsOnly } from '../../graphql/guards/selects-only.js';
import type { Operation } from '../../graphql/operation/admission.js';
import type { WriteOperation } from '../../graphql/write-operation.js';
import type { Resource } from '../../model/resource.js';
import type { Scope } from '../../model/scopes.js';
import type { ArgumentValues } from '../../query/compiled/argument-values.js';
import { conditionsOf, hasDirectives } from '../../query/compiled/conditions.js';
import { describedFields } from '../../query/compiled/described-fields.js';
import { NotCompilable, type Selected } from '../../query/compiled/selection.js';
import type { FromVariables } from '../../query/compiled/variables.js';
import { dialects } from '../../query/sql/dialect.js';
import type { CompileContext } from '../../query/sql/statement.js';
import { compiledMutation } from './compiled-mutation.js';
import type { CompiledMutation } from './work-of.js';
import { writeArguments } from './write-arguments.js';

/** A compiled mutation with a single field. */
export interface CompiledWrite extends CompiledMutation {
  field: Selected;
  resource: Resource;
  operation: WriteOperation;
  /** The field's arguments as the resolver gets them; undefined if the resolver would refuse them. */
  given: FromVariables<ArgumentValues>;
  /** The types that the answer contains. */
  shown: ReadonlySet<Resource>;
  /** Scopes that the fields of the answer need in addition. */
  scopes: ReadonlySet<Scope>;
  /** Whether the answer selects nothing but these names. */
  asksOnly(names: Names): boolean;
}

/** Compiles a mutation; undefined if it cannot be compiled. */
export function compileWrite(
  schema: GraphQLSchema,
  provider: Provider,
  answerLimit: number,
  { document, definition: operation }: Operation,
): CompiledWrite | undefined {
  if (hasDirectives(operation) || conditionsOf(document, operation)) return undefined;
  const compiling: CompileContext = {
    schema,
    fragments: fragmentsOf(document),
    conditions: {},
    coerced: noArguments,
    dialect: dialects[provider],
    answerLimit,
    resources: new Set(),
    scopes: new Set(),
    filtered: [],
  };
  try {
    const mutation = schema.getMutationType();
    if (!mutation) return undefined;
    const [field, ...others] = describedFields(mutation, [operation.selectionSet], compiling);
    if (!field || others.length > 0) return undefined;
    const { answer, nodes } = field;
    if (answer.kind !== 'write') return undefined;
    const { resource } = answer;
    const mutating = compiledMutation(compiling, resource, answer.operation, field);
    const given = writeArguments(schema, operation, field);
    const { resources: shown, scopes } = compiling;
    const asking = { fieldNodes: [...nodes], fragments: Object.fromEntries(compiling.fragments) };
    const asksOnly = remembered((names) => selectsOnly(asking, names));
    return { ...mutating, field, resource, operation: answer.operation, given, shown, scopes, asksOnly };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

/** Remembers the result for each set of names, because each request asks for it. */
function remembered(ask: (names: Names) => boolean): (names: Names) => boolean {
  const known = new Map<Names, boolean>();
  return (names) => {
    const found = known.get(names) ?? ask(names);
    known.set(names, found);
    return found;
  };
}

/** Refuses arguments within the answer: only list fields of queries may have them. */
function noArguments(): never {
  throw new NotCompilable();
}
