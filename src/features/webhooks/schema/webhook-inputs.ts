import { perBuilder } from '../../../graphql/per-builder.js';
import { changeAction, mostNamed, recordTypeName } from '../../history/schema/change-types.js';
import { longestSelection } from '../selection.js';
import { longestUrl } from '../url-problem.js';

const texts = {
  name: 'What it is for, 1 to 100 characters.',
  url: `Where messages are sent: https, to a public host, at most ${longestUrl} characters.`,
  types:
    'The record types whose changes it receives, with their lines; left out or null, all that the key may read. An empty list is refused.',
  actions: 'The actions it receives; left out or null, all. An empty list is refused.',
  selection: `A GraphQL selection, at most ${longestSelection} characters: what messages hold of the record. On the type if \`types\` has one, otherwise on \`Node\`. Left out, messages hold no record.`,
};

export const createWebhookInput = perBuilder((builder) =>
  builder.inputType('CreateWebhookInput', {
    description: 'The webhook to make.',
    fields: (t) => ({
      name: t.string({ required: true, description: texts.name }),
      url: t.string({ required: true, description: texts.url }),
      types: t.field({ type: [recordTypeName(builder)], description: texts.types, ...mostNamed }),
      actions: t.field({ type: [changeAction(builder)], description: texts.actions, ...mostNamed }),
      selection: t.string({ description: texts.selection }),
    }),
  }),
);

export const updateWebhookInput = perBuilder((builder) =>
  builder.inputType('UpdateWebhookInput', {
    description: 'What to change of a webhook; what is left out stays.',
    fields: (t) => ({
      name: t.string({ description: texts.name }),
      url: t.string({ description: texts.url }),
      types: t.field({ type: [recordTypeName(builder)], description: texts.types, ...mostNamed }),
      actions: t.field({ type: [changeAction(builder)], description: texts.actions, ...mostNamed }),
      selection: t.string({ description: `${texts.selection} Null removes it.` }),
      enabled: t.boolean({
        description:
          'False stops all deliveries. True starts them where they stopped, and attempts at once what has failed.',
      }),
    }),
  }),
);
