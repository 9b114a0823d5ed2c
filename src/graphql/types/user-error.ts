/** The errors that a mutation returns in `userErrors` of its answer. */

import type { ProblemCode } from '../../model/errors/problem.js';
import { enumName } from '../../model/names.js';
import { answeredBySql } from '../answered-by-sql.js';
import { perBuilder } from '../builder.js';
import type { UserError } from '../shown-errors/user-errors.js';
import { recordAction } from './record-interfaces.js';
import { documentStatus } from './status-field.js';

const codes: Record<ProblemCode, string> = {
  parameter_missing: 'A value that is required was left out.',
  parameter_unknown: 'There is no value of this name.',
  parameter_invalid: 'The value cannot be used.',
  parameter_immutable: 'The value cannot be changed.',
  resource_missing: 'There is no record with this id.',
  reorder_mismatch: 'The ids given are not those of the lines.',
  version_conflict: 'The record has changed since it was read.',
  invalid_state: 'The state of the document does not allow it.',
};

const userErrorCode = perBuilder((builder) =>
  builder.enumType('UserErrorCode', {
    description: 'Why a mutation was refused, for programs.',
    values: Object.fromEntries(
      Object.entries(codes).map(([code, description]) => [enumName(code), { value: code, description }]),
    ),
  }),
);

const userError = perBuilder((builder) =>
  builder.objectRef<UserError>('UserError').implement({
    description: 'A problem that the caller can correct, because of which nothing was changed.',
    fields: (t) => ({
      code: t.field({
        type: userErrorCode(builder),
        extensions: answeredBySql({ kind: 'userError', part: 'code' }),
        description: 'What kind of problem it is.',
        resolve: ({ code }) => code,
      }),
      path: t.exposeStringList('path', {
        extensions: answeredBySql({ kind: 'userError', part: 'path' }),
        description:
          'Where it is, from the argument inwards: `["input", "consumedItems", "2", "itemCode"]`. Empty where it is about the record itself, or about an argument of another field.',
      }),
      message: t.exposeString('message', {
        extensions: answeredBySql({ kind: 'userError', part: 'message' }),
        description: 'What is wrong and what to do, as a sentence.',
      }),
      currentState: t.expose('currentState', {
        type: documentStatus(builder),
        nullable: true,
        extensions: answeredBySql({ kind: 'userError', part: 'currentState' }),
        description: 'With INVALID_STATE: the state of the document; null if another word is stored (`storedStatus`).',
      }),
      allowedActions: t.expose('allowedActions', {
        type: [recordAction(builder)],
        nullable: true,
        extensions: answeredBySql({ kind: 'userError', part: 'allowedActions' }),
        description: 'With INVALID_STATE: what moves the document on from there.',
      }),
      currentVersion: t.exposeInt('currentVersion', {
        nullable: true,
        extensions: answeredBySql({ kind: 'userError', part: 'currentVersion' }),
        description: 'With VERSION_CONFLICT: the version the record is at.',
      }),
    }),
  }),
);

/** A refusal that the caller has asked for as part of the answer. */
export interface Refused {
  userErrors: readonly UserError[];
}

/** The field of every answer that may be such a refusal. */
export const userErrorsField = perBuilder((builder) => {
  const type: [ReturnType<typeof userError>] = [userError(builder)];
  return {
    type,
    description: 'Why nothing was done; empty where it was. Selected, these are no `errors` of GraphQL.',
    extensions: answeredBySql({ kind: 'payload', part: 'userErrors' }),
    resolve: ({ userErrors = [] }: Partial<Refused>) => userErrors,
  };
});
