import type { DocumentedResource } from './document.js';

export interface DocumentedField {
  /** snake_case, as on REST. */
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean';
  /** Required on create: marked R, or the reference to the parent (2.1.5). */
  required: boolean;
  default?: string | number | boolean;
}

const notation = /^(?<name>\w+)(?::(?<type>string|number|integer|boolean))?(?<required> R)?(?: \[(?<value>.+)\])?$/;

/**
 * The fields of one resource in the order of the document, read from its notation (document 2.1.2).
 * Throws on a piece that is not in that notation.
 */
export function documentedFields(resource: DocumentedResource): DocumentedField[] {
  return resource.fields
    .trim()
    .split(/;\s+/)
    .map((piece) => {
      const { name, type = 'string', required, value } = notation.exec(piece)?.groups ?? {};
      if (!name || !isType(type)) throw new Error(`${resource.title}: cannot read "${piece}"`);
      return {
        name,
        type,
        required: required !== undefined || name === parentReference(resource),
        ...(value === undefined ? {} : { default: typedValue(type, value) }),
      };
    });
}

/** Name of the field that refers to the parent: `asset_repair_id`, or `parent_id` for the two children of 4.5's end. */
export function parentReference(resource: DocumentedResource): string | undefined {
  if (resource.kind !== 'child') return undefined;
  return resource.parent ? `${resource.parent.toLowerCase().replaceAll(' ', '_')}_id` : 'parent_id';
}

/** Name of the Prisma model and GraphQL type: the title without its spaces. */
export function modelName(title: string): string {
  return title.replaceAll(' ', '');
}

function typedValue(type: DocumentedField['type'], value: string): string | number | boolean {
  if (type === 'boolean') return value === 'true';
  return type === 'string' ? value : Number(value);
}

function isType(type: string): type is DocumentedField['type'] {
  return ['string', 'number', 'integer', 'boolean'].includes(type);
}
