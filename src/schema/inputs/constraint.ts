/**
 * Constraints of an input value that GraphQL types cannot express. They are kept in the extensions of the input field,
 * where validation and printers of the schema find them.
 */
export interface Constraint {
  /** May be left out, but not null; the text says what to do instead, and may depend on the surrounding object. */
  notNull?: string | ((object: Readonly<Record<string, unknown>>, purpose: Purpose | undefined) => string);
  /** The only accepted values; for an enum, the values of its names. */
  oneOf?: readonly string[];
  /** May be true only where one of these is given beside it. */
  besides?: readonly string[];
  /** The smallest accepted number. */
  minimum?: number;
  /** The largest accepted number. */
  maximum?: number;
  /** The most items of a list. */
  maximumLength?: number;
  /** A text that must not be empty. */
  notEmpty?: true;
  /** The most UTF-16 units of a text. */
  longest?: number;
  /** Whether ids of states of the past are taken, as `asOf` answers them. */
  takesPast?: true;
  /** The most objects and the most single values inside an argument, at any depth. */
  mostObjects?: number;
  mostValues?: number;
  /** The purpose of everything in this argument or field; without it `other`. */
  purpose?: Purpose;
  /** The only purpose for which this field may be given, and what to do instead for another. */
  only?: { purpose: Purpose; instead: string };
  /** The purpose for which this field may not be left out or null, though its type allows it for others. */
  requiredFor?: Purpose;
}

/**
 * What an input is given for, where one type serves several purposes: a condition on groups, the keys of groups, their
 * order; lines that are given together with their new parent, or with one that is saved. Mostly it is `other`.
 */
export type Purpose = 'groups' | 'groupKeys' | 'groupOrder' | 'newLines' | 'savedLines' | 'other';

export const constrained = (constraint: Constraint) => ({ extensions: { constraint } });

/** The constraint of an input field or argument; empty if there is none. */
export function constraintOf({ extensions }: { extensions: { constraint?: Constraint } }): Constraint {
  return extensions.constraint ?? {};
}
