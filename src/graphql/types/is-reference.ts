import type { Field } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';

/** Whether the field names the parent of a line. */
export const isReference = (resource: Resource, field: string): boolean => field === resource.scope;

/** Whether a field holds an id, of a record or of something elsewhere, and is therefore of type ID in outputs, inputs and filters. */
export const isId = ({ name, type }: Pick<Field, 'name' | 'type'>): boolean => type === 'String' && name.endsWith('Id');
