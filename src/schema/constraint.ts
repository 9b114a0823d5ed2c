/**
 * What a GraphQL type cannot say about an input value. It is kept in the input field's extensions, so that the check of
 * inputs, and whoever prints them, find it where the type is.
 */
export interface Constraint {
  /** May be left out, but not null; says what to do instead, which may depend on the object the field is in. */
  notNull?: string | ((object: Readonly<Record<string, unknown>>) => string);
  /** The only words accepted. */
  oneOf?: readonly string[];
  /** The smallest number accepted. */
  minimum?: number;
  /** The largest number accepted. */
  maximum?: number;
  /** The most items a list may have. */
  maximumLength?: number;
  /** Must not be empty. Of texts only. */
  notEmpty?: true;
  /** The most UTF-16 units of a text. */
  longest?: number;
  /** The most objects, and the most single values, within the value at any depth. Of arguments only. */
  mostObjects?: number;
  mostValues?: number;
}

export const constrained = (constraint: Constraint) => ({ extensions: { constraint } });

/** The constraint of an input field or argument; empty where it has none. */
export function constraintOf({ extensions }: { extensions: { constraint?: Constraint } }): Constraint {
  return extensions.constraint ?? {};
}
