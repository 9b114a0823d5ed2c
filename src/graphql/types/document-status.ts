/** The enum of the three states of documents. It names the stored texts: `DRAFT` is stored as `draft`, which REST shows. */
import { type Status, statuses } from '../../model/document-status.js';
import { enumName } from '../../model/enum-name.js';
import { perBuilder } from '../per-builder.js';

const descriptions: Record<Status, string> = {
  draft: 'It is new and may be submitted.',
  submitted: 'It is in force and may be cancelled.',
  cancelled: 'It is no longer in force, which is final.',
};

export const documentStatus = perBuilder((builder) =>
  builder.enumType('DocumentStatus', {
    description: 'The state of a document. REST shows it in lower case, as it is stored.',
    values: Object.fromEntries(
      statuses.map((status) => [enumName(status), { value: status, description: descriptions[status] }]),
    ),
  }),
);
