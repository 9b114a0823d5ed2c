import type { RecordOperation } from '../model/catalogue.js';

/** What a mutation does with records. */
export type WriteOperation =
  | 'create'
  | 'update'
  | 'submit'
  | 'cancel'
  | 'delete'
  | 'reorder'
  | 'save'
  | 'createMany'
  | 'updateMany'
  | 'deleteMany';

/** The operation that determines the access to a write. */
export const accessOfWrite: Record<WriteOperation, RecordOperation> = {
  create: 'create',
  update: 'update',
  submit: 'submit',
  cancel: 'cancel',
  delete: 'delete',
  reorder: 'reorder',
  save: 'update',
  createMany: 'create',
  updateMany: 'update',
  deleteMany: 'delete',
};
