/**
 * The door of this folder: plain reads, answered by the database itself. An operation is compiled once, when it is first
 * seen; what is no plain read, and whatever goes wrong, is left to the resolvers, which stay the reference.
 */
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { mayRead } from '../access/scopes.js';
import type { RequestContext } from '../context.js';
import type { Variables } from './arguments.js';
import { type CompiledRead, compileRead } from './compile.js';
import type { Text } from './statement.js';

export interface CompiledReads {
  /**
   * The JSON text of the operation's `data`, or undefined where the resolvers must answer. `document` must be valid and
   * always be the same object for the same text: what is compiled is remembered by it.
   */
  textOf(
    document: DocumentNode,
    operationName: string | null | undefined,
    variables: Variables,
    context: RequestContext,
  ): Text | Promise<Text>;
}

export function createCompiledReads(schema: GraphQLSchema): CompiledReads {
  const compiled = new WeakMap<DocumentNode, Map<string, CompiledRead | undefined>>();

  const find = (document: DocumentNode, operationName: string, context: RequestContext) => {
    const operations = compiled.get(document) ?? new Map<string, CompiledRead | undefined>();
    if (!operations.has(operationName)) {
      const { provider } = context.database;
      operations.set(operationName, compileRead(schema, provider, document, operationName || undefined));
      compiled.set(document, operations);
    }
    return operations.get(operationName);
  };

  return {
    textOf(document, operationName, variables, context) {
      const { read } = context.database;
      const operation = read && find(document, operationName ?? '', context);
      if (!operation || ![...operation.resources].every((resource) => mayRead(context.identity, resource))) {
        return undefined;
      }
      // The resolvers meet the same trouble and say what it is to the caller; the log says that it cost a second try.
      const giveUp = (err: unknown) => {
        context.log.warn({ err }, 'A compiled read failed; the resolvers answer');
        return undefined;
      };
      try {
        const text = operation.run(variables, read);
        return text instanceof Promise ? text.catch(giveUp) : text;
      } catch (err) {
        return giveUp(err);
      }
    },
  };
}
