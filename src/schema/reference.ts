import type { Resource } from '../model/resource.js';

/** Whether the field holds the id of a record: it is typed ID, on output, in inputs and in filters. */
export const isReference = (resource: Resource, field: string): boolean => field === resource.scope;
