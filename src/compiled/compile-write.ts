import type { GraphQLSchema } from 'graphql';
import type { Scope } from '../access/scopes.js';
import type { Provider } from '../database/migration-history.js';
import { fragmentsOf } from '../fragments.js';
import type { Resource } from '../model/resource.js';
import type { Operation } from '../operation/admission.js';
import { acknowledgement } from '../schema/guard-scopes.js';
import type { WriteOperation } from '../schema/sql.js';
import { conditionsOf, hasDirectives } from './conditions.js';
import { wholeText } from './counted.js';
import { describedFields, recordTypeIn } from './described.js';
import { dialects } from './dialect.js';
import { written } from './extent.js';
import type { Given } from './given.js';
import { givenToWrite } from './given-to-write.js';
import { recordObject } from './record.js';
import { NotCompilable, type Selected, selectedFields } from './selection.js';
import type { Compiling } from './statement.js';
import type { FromVariables } from './variables.js';
import { type CompiledOperation, type WriteWork, writeWork } from './write-work.js';

/** A mutation that writes one record and answers with it. */
export interface CompiledWrite {
  field: Selected;
  resource: Resource;
  operation: CompiledOperation;
  /** The arguments of the field as its resolver gets them; undefined where the resolvers have something to say to them. */
  given: FromVariables<Given>;
  /** The types the answer shows. */
  shown: ReadonlySet<Resource>;
  /** Further scopes that the fields of the answer ask for. */
  scopes: ReadonlySet<Scope>;
  /** Whether the answer tells more of the record than its id and version. */
  tellsRecord: boolean;
  workOf: WriteWork;
}

/** The mutation compiled, or undefined where it is any other. `document` must be valid. */
export function compileWrite(
  schema: GraphQLSchema,
  provider: Provider,
  answerLimit: number,
  { document, definition: operation }: Operation,
): CompiledWrite | undefined {
  if (hasDirectives(operation) || conditionsOf(document, operation)) return undefined;
  const compiling: Compiling = {
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
    if (answer.kind !== 'write' || answer.resource.kind === 'child' || !isCompiled(answer.operation)) return undefined;
    const { resource } = answer;
    const type = recordTypeIn(definition.type, resource, 'one or null');
    const object = written(answerLimit, (extent) => {
      let tables = 0;
      const table = () => `t${++tables}`;
      const writing = { ...compiling, extent, bind: noArguments, piece: noArguments, widen: noArguments, table };
      return wholeText(writing, recordObject(writing, { type, nodes }, 't0'));
    });
    const tellsRecord = selectedFields(
      type,
      nodes.map(({ selectionSet }) => selectionSet),
      compiling,
    ).some(({ name }) => !acknowledgement.has(name));
    const { resources: shown, scopes } = compiling;
    const workOf = writeWork(provider, resource, answer.operation, object, shown.size > 1);
    const given = givenToWrite(schema, operation, field);
    return { field, resource, operation: answer.operation, given, shown, scopes, tellsRecord, workOf };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

const isCompiled = (operation: WriteOperation): operation is CompiledOperation =>
  operation === 'create' || operation === 'update' || operation === 'submit' || operation === 'cancel';

/** Slices of the lines are for the resolvers. */
function noArguments(): never {
  throw new NotCompilable();
}
