import { addressOf } from '../addresses.js';
import { jsonOf, reach } from '../api/reach.js';

let early: Promise<unknown> | undefined;

/** Begins to load the schema that GraphiQL is going to ask for. */
export function loadSchemaEarly(): void {
  early ??= load();
  // The next caller gets the error.
  early.catch(() => undefined);
}

/** The whole schema. The browser keeps it, and only asks whether it is still the same. */
export function loadSchema(): Promise<unknown> {
  const schema = early ?? load();
  // A repeated call has to get the present schema.
  early = undefined;
  return schema;
}

async function load(): Promise<unknown> {
  const response = await reach(addressOf('pages/introspection.json'));
  if (!response.ok) throw new Error(`The schema could not be loaded: the gateway answered ${response.status}.`);
  return jsonOf(response);
}
