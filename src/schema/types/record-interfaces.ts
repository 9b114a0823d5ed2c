/** What records have in common, so that one fragment of a client serves all types. */
import type { Status } from '../../model/document-status.js';
import type { Action } from '../../records/lifecycle.js';
import { perBuilder } from '../per-builder.js';
import { documentStatus } from './document-status.js';
import { recordAction } from './record-action-type.js';
import { type ActionState, actionState } from './record-actions.js';

export const node = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('Node').implement({
    description: 'Anything with an id. Ids are unique among all records and the same on the REST surface.',
    fields: (t) => ({ id: t.exposeID('id', { description: 'Unique among all records: `<type>_<26 characters>`.' }) }),
  }),
);

interface RecordShape {
  id: string;
  version: number;
  displayTitle: string;
  actions: ActionState[];
}

export const record = perBuilder((builder) =>
  builder.interfaceRef<RecordShape>('Record').implement({
    description: 'A record of any type, lines included. What `node` and `nodes` find is one.',
    interfaces: [node(builder)],
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Unique among all records: `<type>_<26 characters>`.' }),
      version: t.exposeInt('version', { description: 'Raised by one by every change.' }),
      displayTitle: t.exposeString('displayTitle', {
        description: 'What to call it on a screen: its title with `{field}` filled in, or its id where it has none.',
      }),
      actions: t.expose('actions', {
        type: [actionState(builder)],
        description: 'What can be done with it as it is now, or as it was with `asOf`, and why the rest cannot.',
      }),
    }),
  }),
);

interface MainRecordShape extends RecordShape {
  createdAt: Date;
  updatedAt: Date;
}

/** Lines have no times of their own, so they are none of these. */
export const mainRecord = perBuilder((builder) =>
  builder.interfaceRef<MainRecordShape>('MainRecord').implement({
    description: 'A record that stands by itself and is no line of another.',
    interfaces: [node(builder), record(builder)],
    fields: (t) => ({
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        description: 'When it or one of its lines was last changed.',
      }),
    }),
  }),
);

interface DocumentShape extends MainRecordShape {
  status: Status;
  allowedActions: Action[];
}

export const document = perBuilder((builder) =>
  builder.interfaceRef<DocumentShape>('Document').implement({
    description: 'A record that is a draft first, then submitted, and cancelled at last.',
    interfaces: [node(builder), record(builder), mainRecord(builder)],
    fields: (t) => ({
      status: t.expose('status', { type: documentStatus(builder), description: 'The state of the document.' }),
      allowedActions: t.expose('allowedActions', {
        type: [recordAction(builder)],
        description: 'What moves it on from its present state: SUBMIT or CANCEL; empty once it is cancelled.',
      }),
    }),
  }),
);
