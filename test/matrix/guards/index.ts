/** All guards. A new entry in one of the files is tested with every operation in every variant of a request. */
import { beforeFields, type Guard, refusal, unchanged } from '../guard.js';
import { accessGuards } from './access.js';
import { documentGuards } from './documents.js';
import { loadGuards } from './load.js';
import { malformedRequestGuards } from './malformed-requests.js';
import { onceGuards } from './once.js';
import { answerGuards, sizeGuards } from './sizes.js';
import { stateGuards } from './states.js';
import { trustedDocumentGuards } from './trusted-documents.js';
import { valueGuards } from './values.js';

/** A valid request is answered in every variant; otherwise the other guards could refuse for the wrong reason. */
const none: Guard = {
  name: 'none',
  graphql: { makeInvalid: unchanged, refusals: [] },
  rest: { makeInvalid: unchanged, refusals: [] },
};

const unacceptable = (name: string, accept: string): Guard => ({
  name: `accept: ${name} only`,
  skips: beforeFields,
  graphql: {
    makeInvalid: (call) => ({ ...call, headers: { ...call.headers, accept } }),
    refusals: [refusal(406, 'BAD_REQUEST')],
    skips: (row) => (row.accept === undefined || row.accept === 'nothing' ? undefined : 'something else is asked for'),
  },
  rest: 'it answers with JSON, whatever is asked for',
});

const beforeDatabase: readonly Guard[] = [
  ...documentGuards,
  ...valueGuards,
  ...sizeGuards,
  ...malformedRequestGuards,
  ...trustedDocumentGuards,
  unacceptable('events', 'text/event-stream'),
  unacceptable('parts', 'multipart/mixed'),
  unacceptable('a page', 'text/html'),
];

export const guards: readonly Guard[] = [
  none,
  ...beforeDatabase.map((guard): Guard => ({ ...guard, isBeforeDatabase: true })),
  ...accessGuards,
  ...stateGuards,
  ...onceGuards,
  ...answerGuards,
  ...loadGuards,
];
