import type { Resource } from '../../model/resource.js';

/** Whether the field holds a record's id, and is therefore of type ID in outputs, inputs and filters. */
export const isReference = (resource: Resource, field: string): boolean => field === resource.scope;
