/** What every report of changes names: the action of a change, and the type of the changed record. */
import { catalogue, type RecordModel } from '../../catalogue.js';
import { mostNames } from '../../model/limits.js';
import { constrained } from '../inputs/constraint.js';
import { perBuilder } from '../per-builder.js';

export const changeAction = perBuilder((builder) =>
  builder.enumType('ChangeAction', {
    description: 'What happened to a record.',
    values: {
      create: { description: 'It is new.' },
      update: { description: 'Fields have other values.' },
      submit: { description: 'The document was submitted; other fields may have changed with its status.' },
      cancel: { description: 'The document was cancelled; other fields may have changed with its status.' },
      delete: { description: 'It is gone for good.' },
      move: { description: 'Only the place of the line among the lines of its parent is another.' },
    } as const,
  }),
);

/** The types of records, by their names in this schema. */
export const recordTypeName = perBuilder((builder) =>
  builder.enumType('RecordType', {
    description: 'A type of records, by its name in this schema.',
    values: Object.fromEntries(
      models.map((model) => [model, { value: model, description: `A type of the area ${catalogue[model].area}.` }]),
    ),
  }),
);

const isModel = (name: string): name is RecordModel => name in catalogue;
const models = Object.keys(catalogue).filter(isModel);

/** Of a list that names types or actions; a client may name one often. */
export const mostNamed = constrained({ maximumLength: mostNames });
