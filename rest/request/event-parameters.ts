/** The parameters of `GET /api/events`. */
import type { IncomingHttpHeaders } from 'node:http';
import { positionInText } from '../../src/change/journal/position.js';
import { nearest } from '../../src/common/nearest.js';
import { changeActions } from '../../src/model/change.js';
import { enumName } from '../../src/model/enum-name.js';
import { errors } from '../../src/model/errors/errors.js';
import type { Problem } from '../../src/model/errors/problem.js';
import { explainParameter } from './explain-parameter.js';

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
