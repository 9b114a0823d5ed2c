import type { Field, FieldType } from '../../model/field.js';
import { isDocumentStatus } from '../../model/lifecycle.js';
import type { Resource } from '../../model/resource.js';

const comparing = ['eq', 'ne', 'in', 'notIn'] as const;
const ordering = ['lt', 'lte', 'gt', 'gte'] as const;

/** A column of a record type, with its name and type in the API. */
export interface Column {
  name: string;
  type: FieldType | 'ID' | 'DateTime' | 'DocumentStatus';
  holdsDate: boolean;
}

/** The comparisons of each type: states have no order and no parts, and truth values no order either. */
export const operatorsOf = {
  String: [...comparing, ...ordering, 'contains', 'startsWith', 'endsWith', 'ignoreCase', 'isNull'],
  ID: [...comparing, ...ordering, 'isNull'],
  Float: [...comparing, ...ordering, 'isNull'],
  Int: [...comparing, ...ordering, 'isNull'],
  Boolean: ['eq', 'ne', 'isNull'],
  DateTime: [...comparing, ...ordering, 'isNull'],
  DocumentStatus: [...comparing, 'isNull'],
} as const satisfies Record<Column['type'], readonly string[]>;

/** The most values in one filter; beyond that a request is better split. */
export const mostOperands = 1000;

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

/** Whether the field names the parent of a line. */
export const isReference = (resource: Resource, field: string): boolean => field === resource.scope;

/** Whether a field holds an id, of a record or of something elsewhere, and is therefore of type ID in outputs, inputs and filters. */
export const isId = ({ name, type }: Pick<Field, 'name' | 'type'>): boolean => type === 'String' && name.endsWith('Id');
