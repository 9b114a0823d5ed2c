/** All guards. A new one is one entry in its file, and is tested in every way. */
import { beforeFields, type Guard, refusal, unspoiled } from '../guard.js';
import { accessGuards } from './access.js';
import { documentGuards } from './documents.js';
import { trustGuards } from './documents-trusted.js';
import { edgeGuards } from './edge.js';
import { loadGuards } from './load.js';
import { onceGuards } from './once.js';
import { answerGuards, sizeGuards } from './sizes.js';
import { stateGuards } from './states.js';
import { valueGuards } from './values.js';

/** A valid request passes in every way; otherwise the other guards could refuse for the wrong reason. */
const none: Guard = {
  name: 'none',
  graphql: { spoil: unspoiled, refusals: [] },
  rest: { spoil: unspoiled, refusals: [] },
};

const unacceptable = (name: string, accept: string): Guard => ({
  name: `accept: ${name} only`,
  skips: beforeFields,
  graphql: {
    spoil: (attempt) => ({ ...attempt, headers: { ...attempt.headers, accept } }),
    refusals: [refusal(406, 'BAD_REQUEST')],
    skips: (row) => (row.accept === undefined || row.accept === 'nothing' ? undefined : 'something else is asked for'),
  },
  rest: 'it answers with JSON, whatever is asked for',
});

const beforeDatabase: readonly Guard[] = [
  ...documentGuards,
  ...valueGuards,
  ...sizeGuards,
  ...edgeGuards,
  ...trustGuards,
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
