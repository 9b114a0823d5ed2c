/** The enums that several types share: the states of documents, the types of records, and what is done with records. */
import { catalogue, type RecordModel, type RecordOperation } from '../../model/catalogue.js';
import type { ChangeAction } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import { isStatus, type Status } from '../../model/lifecycle.js';
import { enumName } from '../../model/names.js';
import { perBuilder } from '../builder.js';

/** An enum of words with their meanings, as they are stored, by their names in this schema. */
export function enumOf<Word extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Word, string>>,
) {
  const isWord = (text: string): text is Word => text in meanings;
  const entryOf = (value: Word) => [enumName(value), { value, description: meanings[value] }] as const;
  const values = Object.fromEntries(Object.keys(meanings).filter(isWord).map(entryOf));
  return perBuilder((builder) => builder.enumType(name, { description, values }));
}

/** The states of documents: `DRAFT` is stored as `draft`, which REST shows. */
export const documentStatus = enumOf<Status>(
  'DocumentStatus',
  'The state of a document. REST shows it in lower case, as it is stored.',
  {
    draft: 'It is new and may be submitted.',
    submitted: 'It is in force and may be cancelled.',
    cancelled: 'It is no longer in force, which is final.',
  },
);

/** @throws INTERNAL_SERVER_ERROR for a text that is no state, which only SQL written by hand can have stored */
export function knownStatus(title: string, stored: unknown, id?: string): Status {
  if (!isStatus(stored)) throw errors.unknownStatus({ title, id, stored: String(stored) });
  return stored;
}

export const recordActions = ['update', 'submit', 'cancel', 'delete'] as const;
export type RecordAction = (typeof recordActions)[number];

export const recordAction = enumOf<RecordAction>(
  'RecordAction',
  'What can be done with a record as a whole. A place that takes or returns only some of these says which.',
  {
    update: 'Changing its fields and its lines.',
    submit: 'Moving it from draft to submitted.',
    cancel: 'Moving it from submitted to cancelled.',
    delete: 'Removing it and its lines for good.',
  },
);

export const recordOperation = perBuilder((builder) =>
  builder.enumType('RecordOperation', {
    description: 'What a key may do with records of a type.',
    values: {
      READ: { value: 'retrieve', description: 'Reading records, their lines and their history.' },
      CREATE: { value: 'create', description: 'Making new ones.' },
      UPDATE: { value: 'update', description: 'Changing fields and lines.' },
      SUBMIT: { value: 'submit', description: 'From draft to submitted.' },
      CANCEL: { value: 'cancel', description: 'From submitted to cancelled.' },
      DELETE: { value: 'delete', description: 'Removing records and their lines for good.' },
    } as const satisfies Record<string, { value: RecordOperation; description: string }>,
  }),
);

export const changeAction = enumOf<ChangeAction>('ChangeAction', 'What happened to a record.', {
  create: 'It is new.',
  update: 'Fields have other values.',
  submit: 'The document was submitted; other fields may have changed with its status.',
  cancel: 'The document was cancelled; other fields may have changed with its status.',
  delete: 'It is gone for good.',
  move: 'Only the place of the line among the lines of its parent is another.',
});

export const storedActionText = 'The action as it is stored and as REST shows it, such as `submit`.';

const isModel = (name: string): name is RecordModel => name in catalogue;

export const recordTypeName = perBuilder((builder) =>
  builder.enumType('RecordType', {
    description: 'A type of records. The name is that of its type in this schema, written as enum values are.',
    values: Object.fromEntries(
      Object.keys(catalogue)
        .filter(isModel)
        .map((value) => [
          enumName(value),
          { value, description: `The type \`${value}\`, of the area ${catalogue[value].area}.` },
        ]),
    ),
  }),
);
