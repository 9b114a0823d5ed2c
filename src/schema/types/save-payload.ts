/** The payload of a save: the record after it, and the changes of the record and its lines. */
import { withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import type { LineChanges } from '../../records/change/line-plan.js';
import type { SaveChanges, Saved } from '../../records/change/save.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { perBuilder } from '../per-builder.js';
import { typeOf } from './record-object-types.js';

export function savePayload(builder: Builder, resource: Resource) {
  return builder.objectRef<Saved>(`Save${resource.model}Payload`).implement({
    description: `What became of ${withArticle(resource.title)} that was saved whole.`,
    fields: (t) => ({
      record: t.field({
        type: typeOf(builder, resource),
        nullable: true,
        description:
          'The record as it is now. Null where `validateOnly` was asked for, so that no cache takes for stored what is not.',
        extensions: answeredBySql({ kind: 'saved', part: 'record' }),
        resolve: ({ record }) => record,
      }),
      changes: t.field({
        type: changes(builder),
        description: 'What was changed, or with `validateOnly` what would be.',
        extensions: answeredBySql({ kind: 'saved', part: 'changes' }),
        resolve: (saved) => saved,
      }),
    }),
  });
}

const lineChanges = perBuilder((builder) =>
  builder.objectRef<LineChanges>('LineChanges').implement({
    description:
      'What became of the lines of one list when their parent was saved. What is not told of stayed as it was.',
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

const changes = perBuilder((builder) =>
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
