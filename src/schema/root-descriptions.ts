/** The descriptions of the root types, which say once what the arguments of all their fields mean. */
import {
  defaultGroups,
  defaultPageSize,
  largestBatch,
  largestPageSize,
  mostKeys,
  mostOrders,
  mostWordsSought,
} from '../model/limits.js';

export const queryDescription = `Everything that can be read. Reading changes nothing. A field that is refused is null, and an error says why.

What arguments mean, also those of record types:

- \`id\`: the record with this id. \`parentId\`: the record whose lines are listed.
- \`where\`: only the records this holds of. Conditions side by side must all hold, as those in \`and\`; of those in \`or\` at least one, and that in \`not\` must not.
- \`search\`: only records in whose texts, or those of their lines, each of these words begins a word, at most ${mostWordsSought} of them; case and accents do not matter. The best come first without \`orderBy\`.
- \`orderBy\`: what to sort by, the most important first, at most ${mostOrders} fields. Without it records come newest first, lines by \`idx\`, groups by their keys; so do equals.
- \`first\`, \`last\`: how many from the start or the end, 0 to ${largestPageSize}, not both; the first ${defaultPageSize} without either. Versions of a \`history\` and groups, of which there are ${defaultGroups} without it: 1 to ${largestPageSize}.
- \`after\`, \`before\`: only what is after, or before, this cursor.
- \`offset\`: how many to skip first, 0 or more; counted from \`after\`, and not together with \`last\`.
- \`limit\`: how many lines of a record, 1 to ${largestPageSize}; all of them without it.
- \`groupBy\`: the fields that the records of one group have in common, at most ${mostKeys}.
- \`having\`: only the groups this holds of: what is measured of a field is compared, \`{ grandTotal: { sum: { gt: 0 } } }\`.
- \`asOf\`: the record with its lines as it was at this instant, all changes with this time included; null if it did not exist then. Refused for an instant in the future, and with HISTORY_INCOMPLETE if the journal does not have every change since then. A credential that has changed since is \`***\`.`;

export const mutationDescription = `Everything that can be changed. Each mutation happens as a whole or not at all, one after the other. One that is refused is null, and an error says why; the others stand.

What arguments mean:

- \`id\`, \`ids\`: the record, or the records, each once. The only record of a type needs no \`id\`; another id than its own is NOT_FOUND. In a new order of lines, every line of the parent; left out, gaps are closed and the order stays, and the answer names every line, for which the key must be one that may read.
- \`parentId\`: the record whose lines are put into a new order.
- \`expectedVersion\`: the version you have read. If the record has changed since, nothing happens and VERSION_CONFLICT is answered.
- \`input\`, \`inputs\`: the new record, what to change of it, or what it is to be; of several records, each of them.
- \`updates\`: which records to change, at most ${largestBatch}, each at most once, and how.
- \`validateOnly\`: answers what would happen, or what is wrong, and changes nothing.`;

export const subscriptionDescription = `Everything that can be watched. Each field is a stream of changes: ask for it with \`Accept: text/event-stream\`, or with Apollo's \`multipart/mixed; subscriptionSpec="1.0"\`.

What arguments mean:

- \`id\`: only the record with this id.
- \`where\`: only records this holds of. One that no longer fulfils it is named by \`leftId\`.
- \`after\`: begin after this position of an earlier stream; left out, with the next change.`;
