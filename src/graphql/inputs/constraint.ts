/**
 * Constraints of an input value that GraphQL types cannot express. They are kept in the extensions of the input field,
 * where validation and printers of the schema find them.
 */
export interface Constraint {
  /** May be left out, but not null; the text says what to do instead, and may depend on the surrounding object. */
  notNull?: string | ((object: Readonly<Record<string, unknown>>) => string);
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
  /** A text that names a record by its id, so that ids of states of the past are refused as those of type ID are. */
  namesRecord?: true;
  /** Whether ids of states of the past are taken, as `asOf` answers them. */
  takesPast?: true;
  /** The most objects and the most single values inside an argument, at any depth. */
  mostObjects?: number;
  mostValues?: number;
}

export const constrained = (constraint: Constraint) => ({ extensions: { constraint } });

/** The constraint of an input field or argument; empty if there is none. */
export function constraintOf({ extensions }: { extensions: { constraint?: Constraint } }): Constraint {
  return extensions.constraint ?? {};
}
