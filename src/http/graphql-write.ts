import { GraphQLError } from 'graphql';
import { type Bytes, bytesOf } from '../bytes.js';
import type { CompiledWrites } from '../compiled/writes.js';
import { showError } from '../schema/show-error.js';
import type { PlainRequestOf } from './graphql-validity.js';
import type { GraphqlRequest } from './yoga.js';

/**
 * The result of a mutation that writes one record, as the text of its members without the braces around them; undefined
 * where nothing has been done, by it or by any other operation: then Yoga performs it.
 */
export type WriteOperation = (request: GraphqlRequest) => Promise<Bytes | undefined> | undefined;

export function createWriteOperation(plainRequestOf: PlainRequestOf, writes: CompiledWrites): WriteOperation {
  return (request) => {
    const plain = plainRequestOf(request);
    const begun = plain && writes.begin(plain.document, plain.operationName, plain.variables, request);
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
