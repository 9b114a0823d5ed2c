/** What every report of changes names: the action of a change, and the type of the changed record. */

import { catalogue, type RecordModel } from '../../model/catalogue.js';
import { type ChangeAction, changeActions } from '../../model/change.js';
import { mostNames } from '../../model/limits.js';
import { enumName } from '../../model/names.js';
import { perBuilder } from '../builder.js';
import { constrained } from '../inputs/filters.js';

const descriptions: Record<ChangeAction, string> = {
  create: 'It is new.',
  update: 'Fields have other values.',
  submit: 'The document was submitted; other fields may have changed with its status.',
  cancel: 'The document was cancelled; other fields may have changed with its status.',
  delete: 'It is gone for good.',
  move: 'Only the place of the line among the lines of its parent is another.',
};

export const changeAction = perBuilder((builder) =>
  builder.enumType('ChangeAction', {
    description: 'What happened to a record.',
    values: Object.fromEntries(
      changeActions.map((action) => [enumName(action), { value: action, description: descriptions[action] }]),
    ),
  }),
);

/** The description of an action as a text. */
export const storedActionText = 'The action as it is stored and as REST shows it, such as `submit`.';

/** The types of records, by their names in this schema. */
export const recordTypeName = perBuilder((builder) =>
  builder.enumType('RecordType', {
    description: 'A type of records. The name is that of its type in this schema, written as enum values are.',
    values: Object.fromEntries(
      models.map((model) => [
        enumName(model),
        { value: model, description: `The type \`${model}\`, of the area ${catalogue[model].area}.` },
      ]),
    ),
  }),
);

const isModel = (name: string): name is RecordModel => name in catalogue;
const models = Object.keys(catalogue).filter(isModel);

/** The constraint of a list that names types or actions; a client may name one often. */
export const mostNamed = constrained({ maximumLength: mostNames });
