/** Conditions on parts of texts: `contains`, `startsWith`, `endsWith`. */
import { ignoredCase, markedPattern } from '../database/ignored-case.js';
import type { Where } from './delegate.js';
import { afterPrefix } from './prefix.js';

export const textOperators = ['contains', 'startsWith', 'endsWith'] as const;

export type TextOperator = (typeof textOperators)[number];

export const isTextOperator = (operator: string): operator is TextOperator =>
  textOperators.some((each) => each === operator);

interface TextCondition {
  operator: TextOperator;
  text: string;
  ignoreCase: boolean;
}

/** The condition on a field, or its negation for values that are not null. */
export function textCondition(field: string, { operator, text, ignoreCase }: TextCondition, isDenied: boolean): Where {
  if (operator === 'startsWith' && !ignoreCase) return range(field, text, isDenied);
  const pattern = { [operator]: ignoreCase ? patternOf(text) : escaped(text) };
  return { [field]: isDenied ? { not: pattern } : pattern };
}

/** Texts with a prefix are a range, which an index supports. */
function range(field: string, prefix: string, isDenied: boolean): Where {
  const end = afterPrefix(prefix);
  if (!isDenied) return { [field]: { gte: prefix, ...(end === undefined ? {} : { lt: end }) } };
  const before = { [field]: { lt: prefix } };
  return end === undefined ? before : { OR: [before, { [field]: { gte: end } }] };
}

function patternOf(text: string): string {
  const ignored = ignoredCase(text);
  const pattern = escaped(ignored.text);
  return ignored.from === '' ? pattern : markedPattern({ ...ignored, text: pattern });
}

/** Prisma passes wildcards on to LIKE; both databases use the backslash as escape. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
