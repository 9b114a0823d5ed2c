/** What the gateway does with records beyond storing them, and what its schema contains. */
import { count, flag, setting } from './setting.js';

export const featureSettings = {
  lockSubmitted: setting({
    name: 'LOCK_SUBMITTED',
    form: flag,
    default: 'false',
    meaning:
      'Whether submitted and cancelled documents and their lines are locked: to change or delete them is refused with 409. A submitted document can still be cancelled.',
    requirement: 'must be true or false',
  }),
  search: setting({
    name: 'SEARCH',
    form: flag,
    default: 'false',
    meaning:
      'Whether the words of texts are indexed, so that lists can be searched. Existing records are indexed after the start. Give all processes the same setting.',
    requirement: 'must be true or false',
  }),
  federation: setting({
    name: 'FEDERATION',
    form: flag,
    default: 'false',
    meaning:
      'Whether the GraphQL schema is a subgraph of Apollo Federation, with _entities and _service (docs/federation.md).',
    requirement: 'must be true or false',
  }),
  journal: setting({
    name: 'JOURNAL',
    form: flag,
    default: 'true',
    meaning:
      'Whether every change is written to the journal, from which history, live changes and webhooks are read (docs/history.md).',
    requirement: 'must be true or false',
  }),
  journalDays: setting({
    name: 'JOURNAL_DAYS',
    form: count.refine((days) => days <= 36_500),
    default: '90',
    meaning: 'The number of days for which the journal keeps a change, up to 36500.',
    requirement: 'must be a whole number from 1 to 36500',
  }),
};
