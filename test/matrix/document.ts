/** An attempt as the text of an operation and its variables, in the form of a way. */
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { schema } from '../support/schema.js';
import type { Attempt } from './attempt.js';
import type { Way } from './ways.js';

export interface Document {
  query: string;
  variables: Record<string, unknown>;
}

export function documentOf(attempt: Attempt, way: Pick<Way, 'arguments' | 'form' | 'document'>): Document {
  const { definitions, variables, given } = spelled(attempt, way.arguments);
  const declared = [...definitions, attempt.declared].join(' ').trim();
  const directive = way.form === 'directive' ? ' @include(if: true)' : '';
  const type = namedTypeOf(attempt);
  const isFragment = way.form === 'fragment' && type !== undefined;
  const selection = isFragment ? '{ ...Selected }' : `{ ${attempt.selection} }`;
  const field = `record: ${attempt.field}${given ? `(${given})` : ''}${directive} ${selection}`;
  const name = way.document === 'anonymous' ? '' : ' Deed';
  const operation = `${attempt.kind}${name}${declared ? `(${declared})` : ''} { ${field} ${attempt.beside} }`;
  const others = [
    isFragment ? `fragment Selected on ${type} { ${attempt.selection} }` : '',
    attempt.definitions,
    way.document === 'several operations' ? 'query Other { __typename } mutation Another { __typename }' : '',
  ];
  return { query: [operation, ...others].filter(Boolean).join('\n'), variables };
}

/** The arguments as the text between the brackets, with their variables. */
function spelled(attempt: Attempt, form: Way['arguments']) {
  const definitions: string[] = [];
  const variables: Record<string, unknown> = {};
  const variable = (name: string, type: string, value: unknown, fallback = '') => {
    definitions.push(`$${name}: ${type}${fallback}`);
    if (!fallback) variables[name] = value;
    return `$${name}`;
  };
  const parts = (name: string, value: object, fields: Record<string, { type: GraphQLInputType }>) =>
    Object.entries(value)
      .map(([key, part]) => {
        const type = fields[key]?.type;
        return `${key}: ${type ? variable(`${name}_${key}`, String(type), part) : literal(part, undefined)}`;
      })
      .join(', ');
  const given = Object.entries(attempt.args).map(([name, value]) => {
    const type = argumentType(attempt, name);
    if (form === 'literals') return `${name}: ${literal(value, type)}`;
    const inner = type && getNullableType(type);
    if (form === 'parts' && isInputObjectType(inner) && typeof value === 'object' && value !== null) {
      return `${name}: {${parts(name, value, inner.getFields())}}`;
    }
    const fallback = form === 'defaults' ? ` = ${literal(value, type)}` : '';
    return `${name}: ${variable(name, String(type ?? 'String'), value, fallback)}`;
  });
  return { definitions, variables, given: given.join(', ') };
}

function fieldOf({ kind, field }: Attempt) {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  return roots[kind]?.getFields()[field];
}

function argumentType(attempt: Attempt, name: string): GraphQLInputType | undefined {
  return fieldOf(attempt)?.args.find((argument) => argument.name === name)?.type;
}

function namedTypeOf(attempt: Attempt): string | undefined {
  const type = fieldOf(attempt)?.type;
  return type && getNamedType(type).name;
}

/** A JSON value as a GraphQL literal; values of enums have no quotes. */
function literal(value: unknown, type: GraphQLInputType | undefined): string {
  const inner = type && getNullableType(type);
  if (Array.isArray(value)) {
    return `[${value.map((item) => literal(item, isListType(inner) ? inner.ofType : undefined)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = isInputObjectType(inner) ? inner.getFields() : {};
    return `{${Object.entries(value)
      .map(([name, part]) => `${name}: ${literal(part, fields[name]?.type)}`)
      .join(', ')}}`;
  }
  return typeof value === 'string' && isEnumType(inner) ? value : JSON.stringify(value);
}
