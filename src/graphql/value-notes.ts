/**
 * What the texts of a field are meant to hold, as directives of the schema: generators of code find them in the file of the
 * schema. Nothing is enforced by them.
 */
import { DirectiveLocation, GraphQLDirective, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { Field } from '../model/field.js';
import { isDocumentStatus } from '../model/lifecycle.js';
import type { Resource } from '../model/resource.js';

const texts = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString)));
const locations = [DirectiveLocation.FIELD_DEFINITION, DirectiveLocation.INPUT_FIELD_DEFINITION];

export const valueDirectives = [
  new GraphQLDirective({
    name: 'knownValues',
    description: 'The values that other systems use in this field. It takes and returns any other text too.',
    args: { values: { type: texts, description: 'In the order in which they are offered.' } },
    locations,
  }),
  new GraphQLDirective({
    name: 'format',
    description:
      'The forms of a date that texts of this field are meant to have, as RFC 3339 describes them. It takes and returns any other text too.',
    args: {
      as: { type: texts, description: '`date`, such as 2026-01-31, or `date-time`, such as 2026-01-31T09:30:00Z.' },
    },
    locations,
  }),
];

/** The directives of a field, by name, with the value of their only argument. */
export interface ValueNotes {
  knownValues?: readonly string[];
  format?: readonly string[];
}

/** The extensions of a field of a record or an input. An enum says its values itself. */
export function valueNotes(
  resource: Pick<Resource, 'documentLike'>,
  { name, knownValues, formats }: Pick<Field, 'name' | 'knownValues' | 'formats'>,
): { notes?: ValueNotes } {
  if (isDocumentStatus(resource, name)) return {};
  const notes = {
    ...(knownValues.length > 0 ? { knownValues } : {}),
    ...(formats.length > 0 ? { format: formats } : {}),
  };
  return Object.keys(notes).length > 0 ? { notes } : {};
}

export const valueNotesOf = ({ extensions }: { extensions: { notes?: ValueNotes } }): ValueNotes =>
  extensions.notes ?? {};
