import type { FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import { isReference } from './is-reference.js';

/** A column of a record type, with its name and type in the API. */
export interface Column {
  name: string;
  type: FieldType | 'ID' | 'DateTime';
  description: string;
}

/** The id, the documented fields, the timestamps if any, and the version. */
export function columnsOf(resource: Resource): Column[] {
  return [
    { name: 'id', type: 'ID', description: 'Id of the record.' },
    ...resource.fields.map(({ name, type, description }): Column => {
      return { name, type: isReference(resource, name) ? 'ID' : type, description };
    }),
    ...(resource.timestamps ? timestamps : []),
    { name: 'version', type: 'Int', description: 'Its version, which every write raises by one.' },
  ];
}

/**
 * The end of the description of a type that has a field or value for each of these columns: they are described once, at the
 * record type.
 */
export const describedAt = ({ model }: Resource): string => `What its fields hold is described at \`${model}\`.`;

const timestamps: Column[] = [
  { name: 'createdAt', type: 'DateTime', description: 'When the record was created.' },
  { name: 'updatedAt', type: 'DateTime', description: 'When the record or one of its lines was last changed.' },
];
