/** The parameters of `GET /api/changes`. */

import { positionInText } from '../../src/change/journal/position.js';
import { nearest } from '../../src/common/nearest.js';
import { changeActions } from '../../src/model/change.js';
import { enumName } from '../../src/model/enum-name.js';
import { defaultPageSize } from '../../src/model/limits.js';
import type { Resource } from '../../src/model/resource.js';
import { largestHistoryPage, type Parameter } from './parameters.js';
import { wholeNumber } from './whole-number.js';

export const changeParameters = (resources: readonly Resource[]): Parameter[] => [
  {
    name: 'after',
    in: 'query',
    required: false,
    description:
      'The `position` of the page before. Without it, the oldest change that the journal still holds comes first.',
    // No example: each journal has its own positions.
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    variable: 'after',
    read: (text) =>
      positionInText(text) === undefined ? { problem: 'must be a position, a whole number from 0' } : { value: text },
  },
  wholeNumber('limit', 1, largestHistoryPage, defaultPageSize, 'The most changes to answer with.'),
  listed(
    'types',
    'Only changes of records of these types, separated by commas, as paths name them.',
    new Map(resources.map(({ slug, model }) => [slug, enumName(model)])),
  ),
  listed(
    'actions',
    'Only these actions, separated by commas.',
    new Map(changeActions.map((action) => [action, enumName(action)])),
  ),
];

/** A parameter that lists some of these words. */
export const listParameter = (name: string, description: string, words: readonly string[]): Parameter => ({
  name,
  in: 'query',
  required: false,
  explode: false,
  description,
  schema: { type: 'array', items: { type: 'string', enum: words } },
  example: words.slice(0, 1),
});

/** A parameter that lists words, each of which stands for a value. */
function listed(name: string, description: string, values: ReadonlyMap<string, string>): Parameter {
  return {
    ...listParameter(name, description, [...values.keys()]),
    variable: name,
    read(text) {
      const found: string[] = [];
      for (const each of text.split(',')) {
        const value = values.get(each);
        if (value === undefined) return { problem: unknown(each, values.keys()) };
        found.push(value);
      }
      return { value: found };
    },
  };
}

function unknown(word: string, known: Iterable<string>): string {
  const given = JSON.stringify(word.slice(0, 60));
  const meant = word.length <= 100 ? nearest(word, known) : undefined;
  return `names ${given}, which there is not${meant ? `; did you mean ${JSON.stringify(meant)}?` : ''}`;
}
