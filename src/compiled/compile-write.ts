import { type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import type { Provider } from '../database/migration-history.js';
import { fragmentsOf } from '../fragments.js';
import { type Resource, resources } from '../model/resource.js';
import type { Operation } from '../operation/admission.js';
import { acknowledgement } from '../schema/guard-scopes.js';
import { conditionsOf } from './conditions.js';
import { wholeText } from './counted.js';
import { dialects } from './dialect.js';
import { written } from './extent.js';
import type { Given } from './given.js';
import { recordObject } from './record.js';
import { NotCompilable, objectType, type Selected, selectedFields } from './selection.js';
import type { Compiling } from './statement.js';
import type { Variables } from './variables.js';
import { type WriteBatch, type WriteOperation, writeBatch, writeOperations } from './write-batch.js';

/** A mutation that writes one record and answers with it. */
export interface CompiledWrite {
  field: Selected;
  resource: Resource;
  operation: WriteOperation;
  /** The arguments of the field. */
  given(variables: Variables): Given;
  /** The types the answer shows. */
  shown: ReadonlySet<Resource>;
  /** Whether the answer tells more of the record than its id and version. */
  tellsRecord: boolean;
  batchOf: WriteBatch;
}

/** The mutation compiled, or undefined where it is any other. `document` must be valid. */
export function compileWrite(
  schema: GraphQLSchema,
  provider: Provider,
  answerLimit: number,
  { document, definition: operation }: Operation,
): CompiledWrite | undefined {
  if (operation.directives?.length || conditionsOf(document, operation)) return undefined;
  const compiling: Compiling = {
    schema,
    fragments: fragmentsOf(document),
    conditions: {},
    coerced: noArguments,
    dialect: dialects[provider],
    answerLimit,
    resources: new Set(),
  };
  try {
    const [field, ...others] = selectedFields(objectType(schema, 'Mutation'), [operation.selectionSet], compiling);
    const write = field && writes.get(field.name);
    if (!field || !write || others.length > 0) return undefined;
    const given = givenBy(operation, field, argumentsOf[write.operation]);
    if (!given) return undefined;
    const { resource } = write;
    const object = written(answerLimit, (extent) => {
      let tables = 0;
      const table = () => `t${++tables}`;
      const writing = { ...compiling, extent, bind: noArguments, piece: noArguments, widen: noArguments, table };
      return wholeText(writing, recordObject(writing, resource, 't0', field.nodes));
    });
    const tellsRecord = selectedFields(
      objectType(schema, resource.model),
      field.nodes.map(({ selectionSet }) => selectionSet),
      compiling,
    ).some(({ name }) => !acknowledgement.has(name));
    const shown = compiling.resources;
    const batchOf = writeBatch(provider, resource, write.operation, object, shown.size > 1);
    return { ...write, field, given, shown, tellsRecord, batchOf };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

/** The arguments that are compiled. A mutation that is given any other is left to its resolver. */
const argumentsOf: Record<WriteOperation, readonly string[]> = {
  create: ['input'],
  update: ['id', 'input', 'expectedVersion'],
  submit: ['id', 'expectedVersion'],
  cancel: ['id', 'expectedVersion'],
};

/** The arguments of the field, where each is one of `known`, and a variable that has no value but the request's. */
function givenBy(
  { variableDefinitions = [] }: OperationDefinitionNode,
  { nodes: [first] }: Selected,
  known: readonly string[],
): CompiledWrite['given'] | undefined {
  const isBare = (name: string) =>
    variableDefinitions.some(({ variable, defaultValue }) => variable.name.value === name && !defaultValue);
  const variables = new Map<string, string>();
  for (const { name, value } of first?.arguments ?? []) {
    if (value.kind !== Kind.VARIABLE || !isBare(value.name.value) || !known.includes(name.value)) return undefined;
    variables.set(name.value, value.name.value);
  }
  const names = [...variables];
  return (values) => Object.fromEntries(names.map(([argument, variable]) => [argument, values[variable]]));
}

/** Slices of the lines are for the resolvers. */
function noArguments(): never {
  throw new NotCompilable();
}

/** The mutations of records that stand by themselves; a line's concern its parent and its siblings too. */
const writes = new Map<string, Pick<CompiledWrite, 'resource' | 'operation'>>(
  resources
    .filter(({ kind }) => kind !== 'child')
    .flatMap((resource) =>
      writeOperations
        .filter((operation) => resource.operations.includes(operation))
        .map((operation) => [`${operation}${resource.model}`, { resource, operation }] as const),
    ),
);
