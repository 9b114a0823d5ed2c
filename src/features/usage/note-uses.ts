import type { GraphQLSchema } from 'graphql';
import { createDeprecatedUses, type UsingOperation } from './deprecated-uses.js';
import type { Usage } from './usage.js';
import type { ClientHeaders } from './user-agent.js';

/** Notes which deprecated parts of the schema an operation of a key uses. */
export type NoteUses = (keyId: string, operation: UsingOperation, headers: ClientHeaders) => void;

export function createNoteUses(schema: GraphQLSchema, usage: Pick<Usage, 'count'>): NoteUses {
  const usesOf = createDeprecatedUses(schema);
  return (keyId, operation, headers) => {
    for (const coordinate of usesOf(operation)) usage.count(keyId, 'graphql', coordinate, headers);
  };
}
