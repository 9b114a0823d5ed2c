/** A documented field of a record, as the Prisma models state it. */
import type { DMMF } from '@prisma/generator-helper';
import { snakeOf } from './names.js';

export type FieldType = 'String' | 'Float' | 'Int' | 'Boolean';

export interface Field {
  /** Prisma and GraphQL name. */
  name: string;
  /** Name on the REST surface and in the document. */
  restName: string;
  type: FieldType;
  /** Marked R: must be given on create and can never be null. */
  required: boolean;
  /** May be null in a record: neither R nor defaulted. */
  nullable: boolean;
  /** Applied when the field is left out on create, and when it is set to null. */
  default?: string | number | boolean;
  description: string;
  /** Values other systems are known to use. Any string is accepted (document 2.1.4). */
  knownValues: string[];
}

const types: readonly string[] = ['String', 'Float', 'Int', 'Boolean'] satisfies FieldType[];

export function fieldOf(model: string, field: DMMF.Field): Field {
  if (!isFieldType(field.type)) {
    throw new Error(
      `${model}.${field.name}: the type ${field.type} has no form on the surfaces; use ${types.join(', ')}`,
    );
  }
  const value = field.default;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return {
    name: field.name,
    restName: snakeOf(field.name),
    type: field.type,
    required: field.isRequired && !field.hasDefaultValue,
    nullable: !field.isRequired,
    ...(isPlain ? { default: value } : {}),
    description: field.documentation ?? '',
    knownValues: knownValuesOf(field.documentation ?? ''),
  };
}

/** The values listed in a description that says `Known values: "one", "two".` */
function knownValuesOf(description: string): string[] {
  const list = /Known values: ("[^"]*"(?:, "[^"]*")*)\./.exec(description)?.[1];
  return list ? [...list.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '') : [];
}

function isFieldType(type: string): type is FieldType {
  return types.includes(type);
}
