/**
 * Performs admitted operations. How one is answered is decided here, behind every guard: from the schema alone, by
 * compiled SQL, or by the resolvers, which are the reference for the other two.
 */
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Bytes } from '../bytes.js';
import type { CompiledField } from '../compiled/outcome.js';
import { createCompiledReads } from '../compiled/reads.js';
import { createCompiledWrites } from '../compiled/writes.js';
import type { RequestContext } from '../context.js';
import type { Provider } from '../database/migration-history.js';
import { noteErrors, noteOperation, noteWay, type Way } from '../observation.js';
import type { Operation } from '../operation/admission.js';
import { coversCompiled } from '../schema/plugins.js';
import { knownError, showError } from '../schema/show-error.js';
import { type MaybePromise, whenThere } from '../when-there.js';
import { createEngine } from './engine.js';
import { keepIntrospection } from './introspection.js';
import { limitAnswer } from './limit-answer.js';

/** The answer to an operation, in the form in which its way gives it. Errors are shown as the catalogue has them. */
export type Outcome =
  /** The text of all of `data`. */
  | { data: Bytes }
  /** The fields of `data`, in their order. */
  | { fields: readonly AnsweredField[] }
  | { result: ExecutionResult };

/** A field of `data`: the JSON text of its value, or the error that leaves it null. */
export type AnsweredField = { key: string } & ({ text: Bytes } | { error: GraphQLError });

/** @throws only what is no error of a field: `answer_too_large`, or a fault of the gateway's own */
export type Execute = (operation: Operation, context: RequestContext) => MaybePromise<Outcome>;

export interface ExecutorParts {
  schema: GraphQLSchema;
  plugins: Plugin<RequestContext>[];
  provider: Provider;
  /** Whether plain reads and writes are compiled to SQL; without, the resolvers answer everything, alike. */
  compiled: boolean;
  /** Bytes an answer may hold. */
  answerLimit: number;
}

export function createExecutor({ schema, plugins, provider, compiled, answerLimit }: ExecutorParts): Execute {
  // A plugin that says nothing of compiled operations may guard or change what it sees: then it is to see everything.
  const mayCompile = compiled && plugins.every(coversCompiled);
  const resolve = limitAnswer(schema, createEngine(schema, plugins), answerLimit);
  const introspection = keepIntrospection(schema, answerLimit);
  const read = createCompiledReads(schema, provider, answerLimit);
  const write = createCompiledWrites(schema, provider, answerLimit);

  return (operation, context) => {
    noteOperation(context.observation, operation);
    const taken = (way: Way) => noteWay(context.observation, way);
    const data = mayCompile ? introspection(operation) : undefined;
    if (data !== undefined) {
      taken('introspection');
      return { data };
    }
    const direct = operation.kind === 'mutation' ? write : read;
    return whenThere<readonly CompiledField[] | undefined, Outcome>(
      mayCompile ? direct(operation, context) : undefined,
      (fields) => {
        if (fields) {
          taken('sql');
          return { fields: answered(fields, context) };
        }
        taken('resolvers');
        return resolve(operation, context).then((result) => {
          noteErrors(
            context.observation,
            (result.errors ?? []).map(({ extensions }) => extensions.code),
          );
          return { result };
        });
      },
    );
  };
}

/** The fields with what went wrong shown as a resolver's error would be. */
function answered(fields: readonly CompiledField[], context: RequestContext): readonly AnsweredField[] {
  if (fields.every(isAnswered)) return fields;
  const shown = fields.map((field): AnsweredField => {
    if (isAnswered(field)) return field;
    const { key, nodes, error } = field;
    // There is no use in the others.
    const known = knownError(error);
    if (known.details.reason === 'answer_too_large') throw known;
    const originalError = error instanceof Error ? error : new Error(String(error));
    return {
      key,
      error: showError(new GraphQLError(originalError.message, { nodes, path: [key], originalError }), context),
    };
  });
  noteErrors(
    context.observation,
    shown.map((field) => 'error' in field && field.error.extensions.code),
  );
  return shown;
}

const isAnswered = (field: CompiledField): field is CompiledField & { text: Bytes } => field.text !== undefined;
