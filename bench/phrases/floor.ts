/**
 * The floor serves the REST interface; operations that are GraphQL elsewhere have paths of their own, with the same
 * body.
 */

import type { Operation } from '../workloads.js';
import { repairBase, rest } from './gateway.js';
import { newLines, newRepair } from './inputs.js';
import { at, type HttpRequest, type Phrases, type Subject } from './phrases.js';

export const linesPath = '/with-lines';

const others: Partial<Record<Operation, (subject: Subject) => HttpRequest>> = {
  withLines: ({ id }) => ({ method: 'GET', path: `${repairBase}${linesPath}/${id}` }),
  pageWithLines: () => ({ method: 'GET', path: `${repairBase}${linesPath}` }),
  createWithLines: () => ({ method: 'POST', path: `${repairBase}${linesPath}`, body: { ...newRepair, ...newLines } }),
};

export const floorPhrases: Phrases = {
  request: (operation, subject) => {
    const request = (rest[operation] ?? others[operation])?.(subject);
    if (!request) throw new Error(`The floor has no ${operation}`);
    return request;
  },
  answer: (operation, body) => (rest[operation] ? body : at(body, 'data')),
};
