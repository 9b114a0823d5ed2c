/** The parameters of `GET /api/events`. */
import type { IncomingHttpHeaders } from 'node:http';
import { positionInText } from '../../src/change/journal/journal.js';
import { nearest } from '../../src/common/nearest.js';
import { changeActions } from '../../src/model/change.js';
import { errors } from '../../src/model/errors/errors.js';
import type { Problem } from '../../src/model/errors/problem.js';
import { defaultPageSize } from '../../src/model/limits.js';
import { enumName } from '../../src/model/names.js';
import type { Resource } from '../../src/model/resource.js';
import { largestHistoryPage, type Parameter, wholeNumber } from './parameters.js';

export interface EventParameters {
  types?: string[];
  actions?: string[];
  after?: number | undefined;
}

/** @throws BAD_USER_INPUT */
export function eventParameters(
  headers: IncomingHttpHeaders,
  search: URLSearchParams,
  typeOf: ReadonlyMap<string, string>,
): EventParameters {
  const problems: Problem[] = [];
  const object = (name: string, message: string, code: Problem['code'] = 'parameter_invalid') =>
    problems.push({ path: [name], code, message });
  for (const name of new Set(search.keys())) {
    if (name === explainParameter) continue;
    if (!known.has(name))
      object(name, `is not known here; the parameters are ${[...known].join(', ')}`, 'parameter_unknown');
    else if (search.getAll(name).length > 1) object(name, 'is given more than once; separate values by commas');
  }
  const listed = (name: string, meaningOf: (word: string) => string | undefined, all: Iterable<string>) => {
    const words = search.get(name)?.split(',');
    for (const word of words ?? []) {
      const meant = nearest(word, all);
      if (!meaningOf(word))
        object(
          name,
          `names ${JSON.stringify(word.slice(0, 60))}, which there is not${meant ? `; did you mean ${JSON.stringify(meant)}?` : ''}`,
        );
    }
    return words && { [name]: words.flatMap((word) => meaningOf(word) ?? []) };
  };
  const types = listed('types', (word) => typeOf.get(word), typeOf.keys());
  const actions = listed('actions', (word) => actionNames.get(word), changeActions);
  const lastId = headers['last-event-id'];
  const text = lastId === undefined ? search.get('after') : String(lastId);
  const after = text === null ? undefined : positionInText(text);
  if (text !== null && after === undefined)
    object('after', 'must be a position that a stream has sent, a whole number');
  if (problems.length > 0) throw errors.badInput(problems);
  return { ...types, ...actions, after };
}

const actionNames: ReadonlyMap<string, string> = new Map(changeActions.map((action) => [action, enumName(action)]));

const known: ReadonlySet<string> = new Set(['types', 'actions', 'after']);

/** The parameters of `GET /api/changes`. */
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

/** `?_explain=graphql` asks what a request would do instead of doing it. */
export const explainParameter = '_explain';
export const explainValue = 'graphql';

/** The parameters that are meant as this one, though some may be misspelled: `_EXPLAIN`, `_explain[]`, `explain=graphql`. */
export const explainParametersIn = (query: URLSearchParams): [name: string, value: string][] =>
  [...query].filter(([name, value]) => isMeant(name, value));

/**
 * Whether a request asks to be explained, even if by a name or a value that is refused: it is then never performed. A
 * client that misspells it expects that nothing happens, so a misspelled one is not ignored as other unknown parameters
 * are.
 */
export const asksToExplain = ({ query }: { query: URLSearchParams }): boolean =>
  query.size > 0 && explainParametersIn(query).length > 0;

function isMeant(name: string, value: string): boolean {
  const letters = name.replace(/[^a-z]/gi, '').toLowerCase();
  return letters === 'explain' && (name.startsWith('_') || value.toLowerCase() === explainValue);
}
