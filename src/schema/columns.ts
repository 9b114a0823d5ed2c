import type { FieldType } from '../model/field.js';
import type { Resource } from '../model/resource.js';
import { isReference } from './reference.js';

/** A value of every record of a type, as the surface names and types it. */
export interface Column {
  name: string;
  type: FieldType | 'ID' | 'DateTime';
  description: string;
}

/** The id, the document's fields, the timestamps where there are any, and the version. */
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

const timestamps: Column[] = [
  { name: 'createdAt', type: 'DateTime', description: 'When the record was created.' },
  { name: 'updatedAt', type: 'DateTime', description: 'When the record or one of its lines was last changed.' },
];
