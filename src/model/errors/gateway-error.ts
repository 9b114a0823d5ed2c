import { ExplainedError } from '../../common/config-error.js';
import type { Problem } from './problem.js';

/** What all errors of one reason have in common; both surfaces and the description of REST read it. */
export interface ErrorRow {
  /** The code of GraphQL. */
  code: string;
  /** The type of REST. */
  type: string;
  /**
   * The HTTP status of an error that ends a request: any error of REST, and an error of `/graphql` before execution begins. An
   * error inside a GraphQL operation never changes the status.
   */
  status: number;
  /** Headers of that answer. */
  headers?: (details: ErrorDetails) => Record<string, string>;
  /** The forms of further members that the error has, or may have. */
  details?: Readonly<Record<string, 'text' | 'texts' | 'number'>>;
  /** Whether it says what is wrong with an operation of GraphQL, not with the request. */
  isOfOperation?: true;
  /** The sentence of an error whose sentence is always the same, or where nobody knows a better one. */
  message?: string;
}

/** Rows by their reasons, which are the codes of REST. */
export type ErrorTable<Reason extends string = string> = Readonly<Record<Reason, ErrorRow>>;

export const errorTable = <Reason extends string>(rows: ErrorTable<Reason>): ErrorTable<Reason> => rows;

/** `problems` lists every invalid value; all other members are passed on unchanged. */
export interface ErrorDetails {
  problems?: Problem[];
  [name: string]: unknown;
}

/**
 * An error as the caller sees it: `message` for people, `code` and `details` for programs. It must not contain a
 * secret.
 */
export class GatewayError extends ExplainedError {
  /** All of it is shown to the client. */
  readonly details: ErrorDetails & { reason: string };

  constructor(
    reason: string,
    readonly row: ErrorRow,
    message = row.message,
    details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'GatewayError';
    this.details = { reason, ...details };
  }

  get code(): string {
    return this.row.code;
  }
}

/** Characters of an id that a message repeats: a client may send a long one, and ask for it many times. */
const longestShownId = 255;

/** The id as a message repeats it. */
export const shownId = (id: string): string => (id.length > longestShownId ? `${id.slice(0, longestShownId)}…` : id);

/** The same, in quotes. */
export const quotedId = (id: string): string => JSON.stringify(shownId(id));
