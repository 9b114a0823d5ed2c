import type { GraphQLSchema } from 'graphql';
import type { Scope } from '../../access/scopes.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { fragmentsOf } from '../../fragments.js';
import type { Resource } from '../../model/resource.js';
import type { Operation } from '../../operation/admission.js';
import { type Names, selectsOnly } from '../../schema/guards/selects-only.js';
import type { WriteOperation } from '../../schema/write-operation.js';
import type { ArgumentValues } from '../argument-values.js';
import { conditionsOf, hasDirectives } from '../conditions.js';
import { describedFields } from '../described-fields.js';
import { NotCompilable, type Selected } from '../selection.js';
import { dialects } from '../sql/dialect.js';
import type { CompileContext } from '../sql/statement.js';
import type { FromVariables } from '../variables.js';
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
