/** How an admitted operation would be executed, found out without a database. */
import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { hasScope, mayRead } from '../access/scopes.js';
import { perDefinition } from '../compiled/per-definition.js';
import { type CompiledRead, compileOperation } from '../compiled/read/compile.js';
import { compileWrite } from '../compiled/write/compile-write.js';
import { mayWrite } from '../compiled/write/writes.js';
import type { Identity, RequestContext } from '../context.js';
import type { Provider } from '../database/migrations/migration-history.js';
import type { Operation } from '../operation/admission.js';
import { coversCompiled } from './plugins.js';

export interface Way {
  way: 'sql' | 'resolvers';
  /** The statements with which a read begins; undefined where what is found decides on them. */
  statements?: readonly string[];
}

/** Takes no database, and therefore reads and writes nothing. */
export type WayOf = (operation: Operation, identity: Identity) => Way;

export interface WayParts {
  schema: GraphQLSchema;
  plugins: readonly Plugin<RequestContext>[];
  provider: Provider;
  compiled: boolean;
  answerLimit: number;
}

export function createWays({ schema, plugins, provider, compiled, answerLimit }: WayParts): WayOf {
  const mayCompile = compiled && plugins.every(coversCompiled);
  const readOf = perDefinition((operation) => compileOperation(schema, provider, answerLimit, operation));
  const writeOf = perDefinition((operation) => compileWrite(schema, provider, answerLimit, operation));

  return (operation, identity) => {
    if (!mayCompile) return { way: 'resolvers' };
    const { definition, variables } = operation;
    if (definition.operation === OperationTypeNode.MUTATION) {
      const write = writeOf(operation);
      const given = write?.given(variables);
      const isCompiled = write && given && mayWrite(write, given, identity) && write.workOf(given, identity);
      return { way: isCompiled ? 'sql' : 'resolvers' };
    }
    const read = readOf(operation)?.(variables);
    if (!read || !mayAsk(read, identity)) return { way: 'resolvers' };
    const statements: string[] = [];
    const look = (sql: string) => {
      statements.push(sql);
      throw new NotAsked();
    };
    const fields = read.run(variables, look, 'at once');
    return fields ? { way: 'sql', statements } : { way: 'resolvers' };
  };
}

const mayAsk = ({ resources, scopes }: CompiledRead, identity: Identity): boolean =>
  [...resources].every((resource) => mayRead(identity, resource)) &&
  [...scopes].every((scope) => hasScope(identity, scope));

/** Ends a statement that is only looked at. */
class NotAsked extends Error {}
