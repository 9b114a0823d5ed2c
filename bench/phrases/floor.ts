/**
 * The floor serves the REST interface; operations that are GraphQL elsewhere have paths of their own, with the same
 * body.
 */

import type { Operation } from '../workloads.js';
import { repairBase, rest } from './gateway.js';
import { changedLine, linePatch, newLines, newOrder, newRepair, newRepairs, savedRepair } from './inputs.js';
import { at, type HttpRequest, type Phrases, type Subject } from './phrases.js';

export const linesPath = '/with-lines';
/** The paths of changes, behind that of asset repairs. */
export const changePaths = { line: '/line', order: '/order', many: '/many', stored: '/stored' } as const;

const others: Partial<Record<Operation, (subject: Subject) => HttpRequest>> = {
  withLines: ({ id }) => ({ method: 'GET', path: `${repairBase}${linesPath}/${id}` }),
  pageWithLines: () => ({ method: 'GET', path: `${repairBase}${linesPath}` }),
  createWithLines: () => ({ method: 'POST', path: `${repairBase}${linesPath}`, body: { ...newRepair, ...newLines } }),
  deleteWithLines: ({ id }) => ({ method: 'DELETE', path: `${repairBase}${linesPath}/${id}` }),
  updateLine: (subject) => ({
    method: 'PATCH',
    path: `${repairBase}${changePaths.line}/${changedLine(subject)}`,
    body: linePatch(subject),
  }),
  reorder: (subject) => ({
    method: 'PUT',
    path: `${repairBase}${changePaths.order}/${subject.id}`,
    body: { ids: newOrder(subject) },
  }),
  save: (subject) => ({
    method: 'PUT',
    path: `${repairBase}${linesPath}/${subject.id}`,
    body: savedRepair(subject),
  }),
  createMany: () => ({ method: 'POST', path: `${repairBase}${changePaths.many}`, body: { inputs: newRepairs } }),
  stored: ({ id }) => ({ method: 'GET', path: `${repairBase}${changePaths.stored}/${id}` }),
};

export const floorPhrases: Phrases = {
  has: (operation) => (rest[operation] ?? others[operation]) !== undefined,
  request: (operation, subject) => {
    const request = (rest[operation] ?? others[operation])?.(subject);
    if (!request) throw new Error(`The floor has no ${operation}`);
    return request;
  },
  answer: (operation, body) => (rest[operation] ? body : at(body, 'data')),
};
