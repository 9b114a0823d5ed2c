import type { Schema } from './schema.js';

/** What a request may hold outside its body, stated once. */
export interface Parameter {
  /** The name in the request. */
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  /** Markdown. */
  description: string;
  /** The value, as JSON Schema. */
  schema: Schema;
  example?: string | number;
  /** The variable of the GraphQL operation that gets the value; undefined for one that HTTP itself gives a meaning. */
  variable?: string;
  /** Makes the value of the text in the request; a problem says what is wrong, as the end of a sentence. */
  read?(text: string): { value: unknown } | { problem: string };
}
