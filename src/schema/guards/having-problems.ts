/** Problems of a condition on groups that its type, which is that of a condition on records, cannot express. */
import type { Problem } from '../../errors/problem.js';
import { isObject } from '../../is-object.js';
import type { Resource } from '../../model/resource.js';
import type { Filter } from '../../records/filter.js';
import { isMeasure } from '../../records/measure.js';
import { invalid, measureProblem } from './aggregate-problems.js';

export function havingProblems(resource: Resource, having: Filter, path: Problem['path']): Problem[] {
  return Object.entries(having).flatMap(([name, value]) => {
    const at = [...path, name];
    if (Array.isArray(value)) {
      return value.flatMap((each, index) => (isObject(each) ? havingProblems(resource, each, [...at, index]) : []));
    }
    if (!isObject(value)) return [];
    if (name === 'not') return havingProblems(resource, value, at);
    const isRelation = [...resource.lines, ...resource.parents, ...resource.links].some(({ field }) => field === name);
    if (isRelation) return [invalid(at, 'is not a field of the group; ask for it in `where`')];
    return Object.entries(value).flatMap(([of, comparison]) => {
      if (comparison === null || comparison === undefined) return [];
      if (isMeasure(of)) {
        const refused = measureProblem(resource, of, name);
        return refused ? [invalid([...at, of], `measures ${refused}`)] : [];
      }
      return [invalid([...at, of], 'compares a record, which `where` does; say here what to measure of the group')];
    });
  });
}
