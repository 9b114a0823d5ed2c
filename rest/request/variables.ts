/**
 * Converts path, query, headers and body to the variables of the operation, as its parameters and its body form say.
 * Keeps null (it clears a field), and reports what the GraphQL types cannot check, such as unknown names.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { GraphQLString } from 'graphql';
import { shortenedName, unknownName } from '../../src/graphql/guards/input-problems.js';
import { valueCheck } from '../../src/graphql/guards/value-problem.js';
import { mostProblems, notListed } from '../../src/model/errors/problem.js';
import { enumName } from '../../src/model/names.js';
import { type RestProblem, restProblem, restProblemOf } from '../errors.js';
import type { RestOperation } from '../operations.js';
import type { BodyForm, BodyMember } from './body-form.js';
import type { Parameter } from './parameters.js';

export interface TranslatedVariables {
  variables: Record<string, unknown>;
  problems: RestProblem[];
}

export interface Sources {
  /** From the path, decoded. */
  id: string | undefined;
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  body: Readonly<Record<string, unknown>>;
}

export function variablesOf(
  { parameters, body: form }: Pick<RestOperation, 'parameters' | 'body'>,
  sources: Sources,
): TranslatedVariables {
  const variables: Record<string, unknown> = {};
  const problems: RestProblem[] = [];
  for (const parameter of parameters) {
    if (parameter.variable) variables[parameter.variable] = valueIn(parameter, sources, problems);
  }
  if (form) readBody(form, sources.body, variables, problems);
  return { variables, problems };
}

/** The value of a parameter; undefined where the request does not have it. Adds what is wrong with it to `problems`. */
function valueIn(parameter: Parameter, sources: Sources, problems: RestProblem[]): unknown {
  const { name, read } = parameter;
  const text = textOf(parameter, sources, problems);
  if (text === undefined || !read) return text;
  const found = read(text);
  if ('value' in found) return found.value;
  problems.push(restProblem(name, 'parameter_invalid', found.problem));
  return undefined;
}

function textOf(parameter: Parameter, { id, headers, query }: Sources, problems: RestProblem[]): string | undefined {
  if (parameter.in === 'path') return id;
  if (parameter.in === 'header') return headers[parameter.name.toLowerCase()]?.toString();
  const values = query.getAll(parameter.name);
  if (values.length > 1)
    problems.push(restProblem(parameter.name, 'parameter_invalid', 'is given more than once; send it once'));
  return values[0];
}

/** Adds the members of the body to the variables. */
function readBody(
  { variable, members, expected, lines, ignored }: BodyForm,
  body: Sources['body'],
  variables: Record<string, unknown>,
  problems: RestProblem[],
): void {
  const values: Record<string, unknown> = variable ? {} : variables;
  const wrong: RestProblem[] = [];
  if (variable) variables[variable] = values;
  for (const restName in body) {
    const value = body[restName];
    const member = members.get(restName);
    if (member) values[member.name] = value ?? values[member.name] ?? value;
    else if (!ignored.has(restName))
      problems.push(problems.length < mostProblems ? unknownMember(restName, members, lines) : oneMoreUnknown);
    if (member?.isList && value !== null && !Array.isArray(value))
      problems.push(restProblem(restName, 'parameter_invalid', 'must be a list of ids'));
    if (member?.words && value != null) values[member.name] = nameOf(restName, value, member, wrong);
  }
  // Wrong values come after unknown names, as do those that GraphQL finds.
  problems.push(...wrong);
  for (const [restName, { name, missing }] of expected) {
    if (values[name] == null) problems.unshift(restProblem(restName, 'parameter_missing', missing));
  }
}

/** The name in GraphQL of a word; adds what is wrong with it to `problems`. */
function nameOf(
  restName: string,
  value: unknown,
  { words, instead = '' }: BodyMember,
  problems: RestProblem[],
): unknown {
  const problem = textCheck(value, { oneOf: words }, false);
  if (problem) problems.push(restProblem(restName, 'parameter_invalid', problem + instead));
  return problem ? value : enumName(String(value));
}

const textCheck = valueCheck(GraphQLString);

const unknownMember = (name: string, members: BodyForm['members'], lines: BodyForm['lines']): RestProblem =>
  restProblem(shortenedName(name), 'parameter_unknown', lines?.get(name) ?? unknownName(name, [...members.keys()]));

const oneMoreUnknown = restProblemOf(notListed(1, 'parameter_unknown'));

/** The query of a request without parameters, as most are. It answers without looking anything up. */
class NoParameters extends URLSearchParams {
  override get size(): number {
    return 0;
  }

  override has(): boolean {
    return false;
  }

  override getAll(): string[] {
    return [];
  }
}

const noParameters: URLSearchParams = new NoParameters();

/** The parameters in a request target, of which `path` is the part before them. */
export const queryOf = (target: string, path: string): URLSearchParams =>
  target.length > path.length ? new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]) : noParameters;
