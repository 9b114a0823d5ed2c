import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { Scope } from '../../access/scopes.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { fragmentsOf } from '../../fragments.js';
import type { Resource } from '../../model/resource.js';
import type { Operation } from '../../operation/admission.js';
import type { WriteOperation } from '../../schema/write-operation.js';
import type { ArgumentValues } from '../argument-values.js';
import { conditionsOf, hasDirectives } from '../conditions.js';
import { describedFields } from '../described-fields.js';
import { NotCompilable, type Selected, selectedFields } from '../selection.js';
import { dialects } from '../sql/dialect.js';
import type { CompileContext } from '../sql/statement.js';
import type { FromVariables } from '../variables.js';
import { type CompiledMutation, compiledMutation } from './compiled-mutation.js';
import { writeArguments } from './write-arguments.js';

/** A compiled mutation with a single field. */
export interface CompiledWrite {
  field: Selected;
  resource: Resource;
  operation: WriteOperation;
  /** The field's arguments as the resolver gets them; undefined if the resolver would refuse them. */
  given: FromVariables<ArgumentValues>;
  /** The types that the answer contains. */
  shown: ReadonlySet<Resource>;
  /** Scopes that the fields of the answer need in addition. */
  scopes: ReadonlySet<Scope>;
  /** The names of the selected fields. */
  asked: readonly string[];
  workOf: CompiledMutation;
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
  };
  try {
    const mutation = schema.getMutationType();
    if (!mutation) return undefined;
    const [field, ...others] = describedFields(mutation, [operation.selectionSet], compiling);
    if (!field || others.length > 0) return undefined;
    const { answer, definition, nodes } = field;
    if (answer.kind !== 'write') return undefined;
    const { resource } = answer;
    const type = getNamedType(definition.type);
    if (!isObjectType(type)) return undefined;
    const sets = nodes.map(({ selectionSet }) => selectionSet);
    const asked = selectedFields(type, sets, compiling).map(({ name }) => name);
    const workOf = compiledMutation(compiling, resource, answer.operation, field);
    const given = writeArguments(schema, operation, field);
    const { resources: shown, scopes } = compiling;
    return { field, resource, operation: answer.operation, given, shown, scopes, asked, workOf };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

/** Only lists in queries read by arguments. */
function noArguments(): never {
  throw new NotCompilable();
}
