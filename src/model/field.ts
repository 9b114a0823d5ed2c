/** A documented field of a record, as defined in the Prisma models. */
import type { DMMF } from '@prisma/generator-helper';
import { snakeOf } from './names.js';

export type FieldType = 'String' | 'Float' | 'Int' | 'Boolean';

/** As JSON Schema names them: RFC 3339, sections 5.6. */
export type DateFormat = 'date' | 'date-time';

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
  /** The forms of a date that its texts are meant to have. Any other string is accepted too. */
  formats: DateFormat[];
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
  // A description may be broken into lines anywhere.
  const description = (field.documentation ?? '').replaceAll('\n', ' ');
  const formats = formatsOf(description);
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
    holdsDate: field.type === 'String' && formats.length > 0,
    knownValues: knownValuesOf(description),
    formats,
    secret,
  };
}

/** The values in a description that says `Known values: "one", "two".` */
function knownValuesOf(description: string): string[] {
  const list = /Known values: ("[^"]*"(?:, "[^"]*")*)\./.exec(description)?.[1];
  return list ? [...list.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '') : [];
}

/** The forms that a description names: `YYYY-MM-DD` in code, an ISO 8601 timestamp. */
const formatsOf = (description: string): DateFormat[] => [
  ...(description.includes('`YYYY-MM-DD`') ? (['date'] as const) : []),
  ...(description.includes('ISO 8601 timestamp') ? (['date-time'] as const) : []),
];

function isFieldType(type: string): type is FieldType {
  return types.includes(type);
}

/**
 * Whether both databases store the text unchanged. PostgreSQL cannot store U+0000, and neither can store half a
 * surrogate pair (docs/decisions.md: strings).
 */
export const isStorableText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** The largest number an `integer` can be. */
export const largestInt32 = 2 ** 31 - 1;

export const isInt32 = (value: number): boolean => Number.isInteger(value) && value === (value | 0);
