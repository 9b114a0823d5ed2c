import type { ServedFeature } from '../../gateway/feature.js';
import { changesEndpoint } from './changes-endpoint.js';
import { historyErrors } from './history-errors.js';
import { addHistory, historyField } from './schema/history-fields.js';
import { answerPast, pastArgument } from './schema/past-record.js';

/** What a gateway that serves has of the past. */
export const servedHistory: ServedFeature = {
  schema: addHistory,
  fields: historyField,
  arguments: pastArgument,
  guard: answerPast,
  errors: historyErrors,
  endpoints: changesEndpoint,
  ofRecords: ['history', 'as_of'],
};
