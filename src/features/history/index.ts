/** The versions of a record, and records as they were. */
import type { Feature } from '../../gateway/feature.js';

export const history: Feature = {
  name: 'history',
  async served() {
    const { addHistory, historyField } = await import('./schema/history-fields.js');
    const { answerPast, pastArgument } = await import('./schema/past-record.js');
    const { historyErrors: errors } = await import('./history-errors.js');
    const { changesEndpoint } = await import('./changes-endpoint.js');
    return {
      schema: addHistory,
      fields: historyField,
      arguments: pastArgument,
      guard: answerPast,
      errors,
      endpoints: changesEndpoint,
      ofRecords: ['history', 'as_of'],
    };
  },
};
