/** What records have in common, so that one fragment of a client serves all types. */
import { perBuilder } from '../per-builder.js';
import { documentStatus } from './document-status.js';
import { recordAction } from './record-action-type.js';
import { actionState } from './record-actions.js';

export const node = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('Node').implement({
    description: 'Anything with an id. Ids are unique among all records and the same on the REST surface.',
    fields: (t) => ({ id: t.exposeID('id', { description: 'Unique among all records: `<type>_<26 characters>`.' }) }),
  }),
);

/** Of each type of records too, whose columns would have the text of the model. */
export const recordIdMeaning = 'The id of the record itself, also with `asOf`: what filters and mutations take.';

/** Each type of records answers the fields itself. */
const byTheType = (): never => {
  throw new Error('A type of records does not answer a field of its interface');
};

export const record = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('BusinessRecord').implement({
    description: 'A record of any type, lines included. What `node` and `nodes` find is one.',
    interfaces: [node(builder)],
    fields: (t) => ({
      id: t.exposeID('id', {
        description:
          'Unique among all records: `<type>_<26 characters>`. Of what `asOf` answers it is `<id>@<version of the document>`: a state of the past is another object to caches.',
      }),
      recordId: t.exposeID('id', { description: recordIdMeaning }),
      version: t.int({
        resolve: byTheType,
        description: 'Raised by one by every change.',
      }),
      displayTitle: t.string({
        resolve: byTheType,
        description: 'What to call it on a screen: its title with `{field}` filled in, or its id where it has none.',
      }),
      actions: t.field({
        resolve: byTheType,
        type: [actionState(builder)],
        description: 'What can be done with it as it is now, or as it was with `asOf`, and why the rest cannot.',
      }),
    }),
  }),
);

/** Lines have no times of their own, so they are none of these. */
export const mainRecord = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('MainRecord').implement({
    description: 'A record that stands by itself and is no line of another. What `search` finds is one.',
    interfaces: [node(builder), record(builder)],
    fields: (t) => ({
      createdAt: t.field({ resolve: byTheType, type: 'DateTime', description: 'When it was created.' }),
      updatedAt: t.field({
        resolve: byTheType,
        type: 'DateTime',
        description: 'When it or one of its lines was last changed.',
      }),
    }),
  }),
);

export const document = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('BusinessDocument').implement({
    description: 'A record that is a draft first, then submitted, and cancelled at last.',
    interfaces: [node(builder), record(builder), mainRecord(builder)],
    fields: (t) => ({
      status: t.field({ resolve: byTheType, type: documentStatus(builder), description: 'The state of the document.' }),
      allowedActions: t.field({
        resolve: byTheType,
        type: [recordAction(builder)],
        description: 'What moves it on from its present state: SUBMIT or CANCEL; empty once it is cancelled.',
      }),
    }),
  }),
);
