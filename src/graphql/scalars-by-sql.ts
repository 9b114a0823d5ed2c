/** The scalars that SQL writes as JSON exactly as `serialize` does. */
import { type GraphQLOutputType, getNullableType, isScalarType, specifiedScalarTypes } from 'graphql';
import type { ColumnType } from './answered-by-sql.js';

/** The extensions of a scalar whose columns SQL writes exactly as `serialize` does. */
export const writtenBySql = (type: ColumnType, serialize: (value: Date) => string) => ({ sql: { type, serialize } });

/** The column type that SQL writes exactly as the scalar serializes it; undefined if there is none. */
export function columnTypeOf(output: GraphQLOutputType): ColumnType | undefined {
  const type = getNullableType(output);
  if (!isScalarType(type)) return undefined;
  const { sql }: { sql?: { type: ColumnType; serialize: unknown } } = type.extensions;
  const known = sql ?? specified.get(type.name);
  return known?.serialize === type.serialize ? known.type : undefined;
}

const columnTypes: readonly ColumnType[] = ['String', 'ID', 'Int', 'Float', 'Boolean'];

/** GraphQL's built-in scalars; a schema may define others with the same names. */
const specified = new Map(
  specifiedScalarTypes.flatMap(({ name, serialize }) =>
    columnTypes.filter((type) => type === name).map((type) => [name, { type, serialize }] as const),
  ),
);
