/** A JSON Schema (2020-12), of the keywords that the gateway uses. */
export interface Schema {
  $ref?: string;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  type?: string | readonly string[];
  title?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  deprecated?: boolean;
  /** Values that other systems use. Any other value is accepted too. */
  'x-known-values'?: readonly string[];
  /** The events of a stream by name, with the schemas of their `data`. OpenAPI 3.1 has no place for them. */
  'x-events'?: Readonly<Record<string, { description: string; data: Schema }>>;
  /** Whether the gateway adds this to what the legacy documentation lists. */
  'x-extension'?: true;
}
