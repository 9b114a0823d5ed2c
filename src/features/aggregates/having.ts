/** The condition of an aggregate on its groups. */
import { isObject } from '../../common/is-object.js';
import type { Where } from '../../query/delegate.js';
import { type Filter, whereOf } from '../../query/filter.js';
import { isMeasure, measureName } from './measure.js';

/** Converts `{ count: { gt }, grandTotal: { sum: { gte } }, or: [ … ] }`, with each measure under its own name. */
export function havingCondition(having: Filter): Where {
  const names = new Set<string>();
  const filter = named(having, names);
  const fields = [...names].map((name) => ({ name, nullable: name !== 'count' }));
  return whereOf({ key: 'count', fields, lines: [], parents: [], links: [] }, filter);
}

/** `{ grandTotal: { sum: … } }` as `{ 'sum.grandTotal': … }`; the names are added to `names`. */
function named(having: Filter, names: Set<string>): Filter {
  const parts = Object.entries(having).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value)) return [[name, value.filter(isObject).map((each) => named(each, names))]];
    if (!isObject(value)) return [];
    if (name === 'count') {
      names.add(name);
      return [[name, value]];
    }
    if (name === 'not') return [[name, named(value, names)]];
    return Object.entries(value).flatMap(([of, comparison]): [string, unknown][] => {
      if (!isMeasure(of)) return [];
      const measure = measureName({ of, field: name });
      names.add(measure);
      return [[measure, comparison]];
    });
  });
  return Object.fromEntries(parts);
}
