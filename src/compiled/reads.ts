/**
 * The door of this folder: reads, answered by the database itself. An operation is compiled once, when it is first seen;
 * what a request chooses, as filters and orders, becomes SQL anew. What is not compiled, and whatever goes wrong, is left
 * to the resolvers, which stay the reference.
 */
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { mayRead } from '../access/scopes.js';
import type { RequestContext } from '../context.js';
import type { Provider } from '../database/migration-history.js';
import { compileOperation } from './compile.js';
import { perOperation } from './per-operation.js';
import type { Text } from './statement.js';
import type { Variables } from './variables.js';

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
  /** The same for the value of the first field of `data` alone. */
  firstOf: CompiledReads['textOf'];
}

export function createCompiledReads(schema: GraphQLSchema, provider: Provider): CompiledReads {
  const operationIn = perOperation((document, operation) => compileOperation(schema, provider, document, operation));

  const answer =
    (part: 'run' | 'first'): CompiledReads['textOf'] =>
    (document, operationName, variables, context) => {
      const { read } = context.database;
      const operation = read && operationIn(document, operationName)?.(variables);
      if (!operation) return undefined;
      for (const resource of operation.resources) if (!mayRead(context.identity, resource)) return undefined;
      // The resolvers meet the same trouble and say what it is to the caller; the log says that it cost a second try.
      const giveUp = (err: unknown) => {
        context.log.warn({ err }, 'A compiled read failed; the resolvers answer');
        return undefined;
      };
      try {
        const text = operation[part](variables, read);
        return text instanceof Promise ? text.catch(giveUp) : text;
      } catch (err) {
        return giveUp(err);
      }
    };

  return { textOf: answer('run'), firstOf: answer('first') };
}
