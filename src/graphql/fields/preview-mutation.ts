/** `previewAction`: shows what submitting, cancelling or deleting a record would do, without doing it. */

import { type Preview, type PreviewedChange, preview } from '../../change/writes/preview.js';
import { errors } from '../../model/errors/errors.js';
import type { Problem } from '../../model/errors/problem.js';
import { shownInGraphql } from '../../model/lifecycle.js';
import { capitalized, withArticle } from '../../model/names.js';
import { type Resource, resourceById } from '../../model/resource.js';
import { requiredScopes, requireScopes } from '../../model/scopes.js';
import { withAccess } from '../answered-by-sql.js';
import { type Builder, objectOf, orNull } from '../builder.js';
import { recordAction, recordTypeName } from '../types/enums.js';
import { lackingScope } from '../types/record-interfaces.js';

const fieldChange = objectOf<PreviewedChange>('FieldChange', {
  description: 'A field of a record that would have another value.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Its name on the record.' }),
    from: t.string({
      nullable: true,
      description: 'The value it has, as text; null where it has none.',
      resolve: ({ from }) => textOf(from),
    }),
    to: t.string({
      nullable: true,
      description: 'The value it would have, as text; null for none.',
      resolve: ({ to }) => textOf(to),
    }),
  }),
});

const deletedLines = objectOf<Preview['deletes'][number]>('DeletedLines', {
  description: 'Lines that would go with their parent.',
  fields: (t, builder) => ({
    list: t.exposeString('list', { description: "The list's field on the parent, `consumedItems` for example." }),
    type: t.expose('type', { type: recordTypeName(builder), description: 'The type of its lines.' }),
    count: t.exposeInt('count', { description: 'How many of them there are.' }),
  }),
});

const actionPreview = objectOf<Preview>('ActionPreview', {
  description: 'What an action would do with a record. Nothing has been changed.',
  fields: (t, builder) => ({
    allowed: t.boolean({ description: 'Whether it can be done.', resolve: ({ reason }) => reason === undefined }),
    reason: t.exposeString('reason', orNull('Why it cannot be done, as a sentence for people; null where it can.')),
    changes: t.expose('changes', {
      type: [fieldChange(builder)],
      description: 'The fields of the record that would have another value.',
    }),
    deletes: t.expose('deletes', {
      type: [deletedLines(builder)],
      description: 'Every list of lines that would go with the record, also those that are empty.',
    }),
  }),
});

export function addPreview(builder: Builder, resources: readonly Resource[]): void {
  const resourceOfId = resourceById(resources);

  builder.queryField('previewAction', (t) =>
    t.field({
      type: actionPreview(builder),
      nullable: true,
      ...withAccess('by id'),
      description:
        'What submitting, cancelling or deleting the record with this id would do; null where there is none. The action is carried out and rolled back, so the answer is exact. Saves have `validateOnly` for that.',
      args: {
        id: t.arg.id({ required: true, description: 'Id of the record, of whatever type.' }),
        action: t.arg({
          type: recordAction(builder),
          required: true,
          description: 'What would be done with it: SUBMIT, CANCEL or DELETE; UPDATE is refused.',
        }),
        expectedVersion: t.arg.int({
          description:
            'The version you have read. If the record has changed since, the action is not allowed, and `reason` says so.',
        }),
      },
      resolve: async (_, { id, action, expectedVersion }, context) => {
        if (action === 'update') throw errors.badInput([noUpdate]);
        const resource = resourceOfId(id);
        if (!resource) return null;
        requireScopes(context.identity, requiredScopes(resource, 'retrieve'));
        if (!resource.operations.includes(action)) {
          return refusal(`${capitalized(withArticle(resource.title))} cannot be ${done[action]}.`);
        }
        const reason = lackingScope(resource, action, context.identity);
        if (reason) return refusal(reason);
        const found = await preview(context, resource, { id, action, version: expectedVersion });
        return found && shown(resource, found);
      },
    }),
  );
}

/** What an update would do depends on its input, which is not given here. */
const noUpdate: Problem = {
  path: ['action'],
  code: 'parameter_invalid',
  message: 'must be SUBMIT, CANCEL or DELETE; for a save, use its argument `validateOnly`',
};

const done = { submit: 'submitted', cancel: 'cancelled', delete: 'deleted' };

const refusal = (reason: string): Preview => ({ reason, changes: [], deletes: [] });

/** A state by its name in this schema. */
const shown = (resource: Resource, found: Preview): Preview => ({
  ...found,
  changes: found.changes.map(({ field, from, to }) => ({
    field,
    from: shownInGraphql(resource, field, from),
    to: shownInGraphql(resource, field, to),
  })),
});

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
