import type { Schema } from '../schema.js';

/** A parameter of a request: in its path, its query or its headers. */
export interface Parameter {
  /** The name in the request. */
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  /** False for a list whose items are separated by commas. */
  explode?: false;
  /** Markdown. */
  description: string;
  /** The value, as JSON Schema. */
  schema: Schema;
  /** Tools that try calls send it, so headers have none: it would act. */
  example?: string | number | readonly string[];
  /** The variable of the GraphQL operation that gets the value; undefined for one that HTTP itself gives a meaning. */
  variable?: string;
  /**
   * Parses the text in the request. A `problem` is the end of a sentence that begins with the name of the parameter.
   */
  read?(text: string): { value: unknown } | { problem: string };
}
