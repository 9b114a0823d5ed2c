/** The enum of all that can be done with a record as a whole. */
import { enumName } from '../../model/enum-name.js';
import { perBuilder } from '../per-builder.js';

export const recordActions = ['update', 'submit', 'cancel', 'delete'] as const;
export type RecordAction = (typeof recordActions)[number];

const descriptions: Record<RecordAction, string> = {
  update: 'Changing its fields and its lines.',
  submit: 'Moving it from draft to submitted.',
  cancel: 'Moving it from submitted to cancelled.',
  delete: 'Removing it and its lines for good.',
};

export const recordAction = perBuilder((builder) =>
  builder.enumType('RecordAction', {
    description:
      'What can be done with a record as a whole. A place that takes or returns only some of these says which.',
    values: Object.fromEntries(
      recordActions.map((action) => [enumName(action), { value: action, description: descriptions[action] }]),
    ),
  }),
);
