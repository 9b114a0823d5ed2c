import { isDocumentStatus } from '../../model/document-status.js';
import type { Field, FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import { isId } from './is-reference.js';

/** A column of a record type, with its name and type in the API. */
export interface Column {
  name: string;
  type: FieldType | 'ID' | 'DateTime' | 'DocumentStatus';
  /** Whether it is a text that holds a date. */
  holdsDate: boolean;
}

/** The id, the documented fields, the timestamps if any, and the version. */
export function columnsOf(resource: Resource): Column[] {
  return [
    { name: 'id', type: 'ID', holdsDate: false },
    ...resource.fields.map((field): Column => {
      return { name: field.name, type: typeIn(resource, field), holdsDate: field.holdsDate };
    }),
    ...(resource.timestamps ? timestamps : []),
    { name: 'version', type: 'Int', holdsDate: false },
  ];
}

const typeIn = (resource: Resource, field: Field): Column['type'] => {
  if (isDocumentStatus(resource, field.name)) return 'DocumentStatus';
  return isId(field) ? 'ID' : field.type;
};

const timestamps: Column[] = [
  { name: 'createdAt', type: 'DateTime', holdsDate: false },
  { name: 'updatedAt', type: 'DateTime', holdsDate: false },
];
