/** The descriptions of the root types, and what the arguments of all their fields mean. */
import {
  defaultGroups,
  defaultPageSize,
  largestBatch,
  largestPageSize,
  mostKeys,
  mostOrders,
  mostWordsSought,
} from '../model/limits.js';

/** What each argument of this name means, and what else there is to know of it, which its root says once. */
type Meanings = Readonly<Record<string, { says: string; more?: string }>>;

const ofQuery: Meanings = {
  id: { says: 'The id of the record.' },
  parentId: { says: 'The record whose lines are listed.' },
  where: {
    says: 'Only the records this holds of.',
    more: 'Conditions side by side must all hold, as those in `and`; of those in `or` at least one, and that in `not` must not.',
  },
  search: {
    says: 'Only records in whose texts, or those of their lines, each of these words begins a word.',
    more: `At most ${mostWordsSought} words; case and accents do not matter. The best come first without \`orderBy\`.`,
  },
  orderBy: {
    says: 'What to sort by, the most important first.',
    more: `At most ${mostOrders} fields. Without it records come newest first, lines by \`idx\`, groups by their keys; so do equals.`,
  },
  first: {
    says: 'At most this many, from the start.',
    more: `0 to ${largestPageSize}; ${defaultPageSize} without it and \`last\`. Versions of a \`history\` and groups, of which there are ${defaultGroups} without it: 1 to ${largestPageSize}.`,
  },
  last: {
    says: 'At most this many, from the end.',
    more: `0 to ${largestPageSize}; of a \`history\` from 1. Together with \`first\`, the last of those that \`first\` takes.`,
  },
  after: { says: 'Only what comes after this cursor.' },
  before: { says: 'Only what comes before this cursor.', more: 'Alone, the page that ends there.' },
  offset: { says: 'How many to skip first.', more: '0 or more; counted from `after`, and not together with `last`.' },
  limit: { says: 'At most this many lines; without it, all.', more: `1 to ${largestPageSize}.` },
  groupBy: { says: 'What the records of one group have in common.', more: `At most ${mostKeys} fields.` },
  having: {
    says: 'Only the groups this holds of.',
    more: 'What is measured of a field is compared, `{ grandTotal: { sum: { gt: 0 } } }`.',
  },
  asOf: {
    says: 'The record with its lines as it was at this instant; null if it did not exist then.',
    more: 'All changes with this time are included. Refused for an instant in the future, and with HISTORY_INCOMPLETE if the journal does not have every change since then. A credential that has changed since is `***`.',
  },
};

const ofMutation: Meanings = {
  id: {
    says: 'The id of the record.',
    more: 'The only record of a type needs none; another id than its own is NOT_FOUND.',
  },
  ids: {
    says: 'The ids of the records, each once.',
    more: 'In a new order of lines, every line of the parent; left out, gaps are closed and the order stays, and the answer names every line, for which the key must be one that may read.',
  },
  parentId: { says: 'The record whose lines are put into a new order.' },
  where: {
    says: 'In place of `ids`.',
    more: `The records this holds of, ${largestBatch} a call in the order of their ids.`,
  },
  action: { says: 'What to do.', more: 'UPDATE takes the `input`, the others none.' },
  after: { says: 'Behind this id.', more: 'It is the `moreAfter` of the call before.' },
  expectedVersion: {
    says: 'The version you have read; refused if the record has changed since.',
    more: 'The answer is VERSION_CONFLICT then, and nothing has happened.',
  },
  input: { says: 'The values of the record.', more: 'Those of a new one, what to change of it, or what it is to be.' },
  inputs: { says: 'The values of each new record.' },
  updates: { says: 'Which records to change, and how.', more: `At most ${largestBatch}, each record at most once.` },
  validateOnly: { says: 'Only says what would happen, or what is wrong, and changes nothing.' },
};

const ofSubscription: Meanings = {
  id: { says: 'Only changes of the record with this id.' },
  where: {
    says: 'Only changes of records this holds of.',
    more: 'One that no longer fulfils it is named by `leftId`.',
  },
  after: {
    says: 'The position of an earlier stream after which to begin.',
    more: 'Left out, the stream begins with the next change.',
  },
};

const listOf = (meanings: Meanings): string =>
  Object.entries(meanings)
    .map(([name, { says, more }]) => `- \`${name}\`: ${[says, more].filter(Boolean).join(' ')}`)
    .join('\n');

/** What an argument of a field of this type means; undefined for one that means something else in each field. */
export const meaningOfArgument = (type: string, name: string): string | undefined =>
  (roots[type] ?? ofQuery)[name]?.says;

const roots: Readonly<Record<string, Meanings>> = { Mutation: ofMutation, Subscription: ofSubscription };

export const queryDescription = `Everything that can be read. Reading changes nothing. A field that is refused is null, and an error says why.

What arguments mean, also those of record types:

${listOf(ofQuery)}`;

export const mutationDescription = `Everything that can be changed. Each mutation happens as a whole or not at all, one after the other; of \`actOnMany…\` each record does. One that is refused is null, and an error says why; the others stand.

What arguments mean:

${listOf(ofMutation)}`;

export const subscriptionDescription = `Everything that can be watched. Each field is a stream of changes: ask for it with \`Accept: text/event-stream\`, or with Apollo's \`multipart/mixed; subscriptionSpec="1.0"\`.

What arguments mean:

${listOf(ofSubscription)}`;
