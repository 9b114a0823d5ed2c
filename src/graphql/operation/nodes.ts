/** Parts of GraphQL documents that are written by the gateway. */
import { type ArgumentNode, type FieldNode, Kind, type NameNode, type ValueNode } from 'graphql';

export const name = (value: string): NameNode => ({ kind: Kind.NAME, value });
export const variable = (value: string) => ({ kind: Kind.VARIABLE, name: name(value) }) as const;
export const argument = (of: string, value: ValueNode): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: name(of),
  value,
});

export const object = (fields: Record<string, ValueNode>): ValueNode => ({
  kind: Kind.OBJECT,
  fields: Object.entries(fields).map(([key, value]) => ({ kind: Kind.OBJECT_FIELD, name: name(key), value })),
});

export const field = (of: string, ...selections: FieldNode[]): FieldNode => ({
  kind: Kind.FIELD,
  name: name(of),
  ...(selections.length > 0 ? { selectionSet: { kind: Kind.SELECTION_SET, selections } } : {}),
});
