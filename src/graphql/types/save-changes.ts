/** What a save has changed of a record and of its lines. */
import type { LineChanges } from '../../change/writes/line-plan.js';
import type { SaveChanges } from '../../change/writes/save.js';
import { answeredBySql } from '../answered-by-sql.js';
import { perBuilder } from '../per-builder.js';

const lineChanges = perBuilder((builder) =>
  builder.objectRef<LineChanges>('LineChanges').implement({
    description:
      'How the lines of one list were changed when their parent was saved. Lines that are not mentioned stayed as they were.',
    fields: (t) => ({
      list: t.exposeString('list', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'list' }),
        description: "The list's field on the parent, `consumedItems` for example.",
      }),
      created: t.exposeInt('created', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'created' }),
        description: 'How many lines are new.',
      }),
      updated: t.exposeIDList('updated', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'updated' }),
        description: 'Ids of the lines of which a field changed.',
      }),
      moved: t.exposeIDList('moved', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'moved' }),
        description: 'Ids of the lines of which only the place changed.',
      }),
      deleted: t.exposeIDList('deleted', {
        extensions: answeredBySql({ kind: 'lineChanges', part: 'deleted' }),
        description: 'Ids of the lines that are gone, to be taken out of a cache.',
      }),
    }),
  }),
);

export const saveChanges = perBuilder((builder) =>
  builder.objectRef<SaveChanges>('SaveChanges').implement({
    description: 'What a save changed.',
    fields: (t) => ({
      fields: t.exposeStringList('fields', {
        extensions: answeredBySql({ kind: 'changes', part: 'fields' }),
        description: 'The fields of the record itself that have a new value.',
      }),
      lines: t.field({
        type: [lineChanges(builder)],
        description: 'One entry for each list that was given.',
        extensions: answeredBySql({ kind: 'changes', part: 'lines' }),
        resolve: ({ lines }) => lines,
      }),
    }),
  }),
);
