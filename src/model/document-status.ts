/** The states of documents: as they are stored and as REST shows them. GraphQL names them by `enumName`. */
import { enumName } from './enum-name.js';
import type { Resource } from './resource.js';

export const statuses = ['draft', 'submitted', 'cancelled'] as const;
export type Status = (typeof statuses)[number];

export const isStatus = (text: unknown): text is Status => statuses.some((status) => status === text);

/** Whether the field is the state of a document. The status of a Serial No is a text like any other. */
export const isDocumentStatus = ({ documentLike }: Pick<Resource, 'documentLike'>, field: string): boolean =>
  documentLike && field === 'status';

/** A stored value of the field as GraphQL shows it: a state by its name, everything else as it is. */
export const shownInGraphql = (resource: Pick<Resource, 'documentLike'>, field: string, stored: unknown): unknown =>
  isDocumentStatus(resource, field) && isStatus(stored) ? enumName(stored) : stored;
