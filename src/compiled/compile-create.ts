import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import type { Provider } from '../database/migration-history.js';
import { fragmentsOf } from '../fragments.js';
import { type Resource, resources } from '../model/resource.js';
import { acknowledgement } from '../schema/guard-scopes.js';
import { conditionsOf } from './conditions.js';
import { dialects } from './dialect.js';
import { batches, type MakeBatch } from './insert.js';
import { recordObject } from './record.js';
import { NotCompilable, objectType, type Selected, selectedFields } from './selection.js';
import type { Compiling } from './statement.js';

/** A mutation that creates one record. */
export interface Create {
  resource: Resource;
  field: Selected;
  /** The variable that holds the input. */
  variable: string;
  /** The types the answer shows. */
  shown: ReadonlySet<Resource>;
  /** Whether the answer tells more of the record than its id and version. */
  tellsRecord: boolean;
  batchOf: MakeBatch;
}

/** The mutation compiled, or undefined where it is any other. `document` must be valid. */
export function compileCreate(
  schema: GraphQLSchema,
  provider: Provider,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Create | undefined {
  if (operation.directives?.length || conditionsOf(document, operation)) return undefined;
  const compiling: Compiling = {
    schema,
    fragments: fragmentsOf(document),
    conditions: {},
    coerced: noArguments,
    dialect: dialects[provider],
    resources: new Set(),
  };
  try {
    const [field, ...others] = selectedFields(objectType(schema, 'Mutation'), [operation.selectionSet], compiling);
    const resource = field && creatable.get(field.name);
    const variable = field && inputVariable(field);
    if (!resource || !variable || others.length > 0) return undefined;
    let tables = 0;
    const writing = { ...compiling, bind: noArguments, piece: noArguments, table: () => `t${++tables}` };
    const object = writing.dialect.text(recordObject(writing, resource, 't0', field.nodes));
    const tellsRecord = selectedFields(
      objectType(schema, resource.model),
      field.nodes.map(({ selectionSet }) => selectionSet),
      compiling,
    ).some(({ name }) => !acknowledgement.has(name));
    const batchOf = batches(provider, resource, object);
    return { resource, field, variable, shown: compiling.resources, tellsRecord, batchOf };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

/** The only argument of the field, where it is a variable. */
function inputVariable({ nodes: [first] }: Selected): string | undefined {
  const [argument, ...others] = first?.arguments ?? [];
  if (others.length > 0 || argument?.value.kind !== Kind.VARIABLE) return undefined;
  return argument.value.name.value;
}

/** Slices of the new lines are for the resolvers. */
function noArguments(): never {
  throw new NotCompilable();
}

const creatable = new Map(
  resources.filter(({ kind }) => kind === 'resource').map((resource) => [`create${resource.model}`, resource]),
);
