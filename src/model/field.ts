/** A documented field of a record, as defined in the Prisma models. */
import type { DMMF } from '@prisma/generator-helper';
import { snakeOf } from './names.js';

export type FieldType = 'String' | 'Float' | 'Int' | 'Boolean';

export interface Field {
  /** The name in Prisma and GraphQL. */
  name: string;
  /** The name in REST. */
  restName: string;
  type: FieldType;
  /** Required: must be given on create and is never null. */
  required: boolean;
  /** May be null: neither required nor with a default. */
  nullable: boolean;
  /** Used when the field is left out on create or set to null. */
  default?: string | number | boolean;
  description: string;
  /** Whether it is a text that holds a date or a timestamp, as its description says. */
  holdsDate: boolean;
  /** Values that other systems use. Any other string is accepted too. */
  knownValues: string[];
  /** Whether it holds a credential, which the journal masks. */
  secret: boolean;
}

const types: readonly string[] = ['String', 'Float', 'Int', 'Boolean'] satisfies FieldType[];

export function describeField(model: string, field: DMMF.Field, secret = false): Field {
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
    holdsDate: field.type === 'String' && /`YYYY-MM-DD`|an ISO 8601 timestamp/.test(field.documentation ?? ''),
    knownValues: knownValuesOf(field.documentation ?? ''),
    secret,
  };
}

/** The values in a description that says `Known values: "one", "two".` */
function knownValuesOf(description: string): string[] {
  const list = /Known values: ("[^"]*"(?:, "[^"]*")*)\./.exec(description)?.[1];
  return list ? [...list.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '') : [];
}

function isFieldType(type: string): type is FieldType {
  return types.includes(type);
}
