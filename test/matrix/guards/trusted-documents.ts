/** With trusted documents no other document is executed, in whatever form it is sent. */

import type { Row } from '../covering-array.js';
import { beforeFields, type Guard, refusal } from '../guard.js';

const untrusted = [refusal(403, 'FORBIDDEN')];
const noDocuments = 'REST has no documents';

const onlyTrusted = ({ text }: Row) =>
  text === undefined || text.startsWith('trusted') ? undefined : 'this gateway performs any document';

export const trustedDocumentGuards: Guard[] = [
  {
    name: 'trust: a text that is not on the list',
    skips: beforeFields,
    graphql: {
      makeInvalid: (call) => ({ ...call, selection: `${call.selection} __typename`, untrusted: true }),
      refusals: untrusted,
      skips: onlyTrusted,
    },
    rest: noDocuments,
  },
  {
    name: 'trust: a text beside the hash of one that is',
    skips: beforeFields,
    graphql: {
      makeInvalid: (call) => ({
        ...call,
        parameters: { extensions: { persistedQuery: { version: 1, sha256Hash: 'c'.repeat(64) } } },
      }),
      refusals: untrusted,
      skips: onlyTrusted,
    },
    rest: noDocuments,
  },
];
