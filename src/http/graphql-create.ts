import { GraphQLError } from 'graphql';
import { type Bytes, bytesOf } from '../bytes.js';
import type { CompiledCreates } from '../compiled/creates.js';
import { showError } from '../schema/show-error.js';
import type { PlainRequestOf } from './graphql-validity.js';
import type { GraphqlRequest } from './yoga.js';

/**
 * The result of a mutation that creates one record, as the text of its members without the braces around them; undefined
 * where it is any other operation, of which nothing has been done: then Yoga performs it.
 */
export type CreateOperation = (request: GraphqlRequest) => Promise<Bytes | undefined> | undefined;

export function createCreateOperation(plainRequestOf: PlainRequestOf, creates: CompiledCreates): CreateOperation {
  return (request) => {
    const plain = plainRequestOf(request);
    const begun = plain && creates.begin(plain.document, plain.operationName, plain.variables, request);
    if (!begun) return undefined;
    const { key, nodes } = begun.field;
    return begun.done.then(
      (text) => text && `"data":{"${key}":${text}}`,
      (thrown: unknown) => {
        const originalError = thrown instanceof Error ? thrown : new Error(String(thrown));
        const error = new GraphQLError(originalError.message, { nodes, path: [key], originalError });
        const { extensions, ...shown } = showError(error, request).toJSON();
        const errors = [{ ...shown, extensions: { ...extensions, requestId: request.requestId } }];
        return bytesOf(`"errors":${JSON.stringify(errors)},"data":${JSON.stringify({ [key]: null })}`);
      },
    );
  };
}
