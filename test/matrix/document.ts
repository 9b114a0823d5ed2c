/** Writes a call as the text of a GraphQL document and its variables, as the variant says. */
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { schema } from '../support/schema.js';
import type { GraphqlCall } from './calls.js';
import type { GraphqlVariant } from './graphql-variants.js';

export interface Document {
  query: string;
  variables: Record<string, unknown>;
}

export function documentOf(
  call: GraphqlCall,
  variant: Pick<GraphqlVariant, 'arguments' | 'form' | 'document'>,
): Document {
  const { definitions, variables, given } = writtenArguments(call, variant.arguments);
  const declared = [...definitions, call.declared].join(' ').trim();
  const directive = variant.form === 'directive' ? ' @include(if: true)' : '';
  const type = namedTypeOf(call);
  const isFragment = variant.form === 'fragment' && type !== undefined;
  const selection = isFragment ? '{ ...Selected }' : `{ ${call.selection} }`;
  const field = `record: ${call.field}${given ? `(${given})` : ''}${directive} ${selection}`;
  const name = variant.document === 'anonymous' ? '' : ' Main';
  const operation = `${call.kind}${name}${declared ? `(${declared})` : ''} { ${field} ${call.beside} }`;
  const others = [
    isFragment ? `fragment Selected on ${type} { ${call.selection} }` : '',
    call.definitions,
    variant.document === 'several operations' ? 'query Other { __typename } mutation Another { __typename }' : '',
  ];
  return { query: [operation, ...others].filter(Boolean).join('\n'), variables };
}

/** The arguments as the text between the brackets, with their variables. */
function writtenArguments(call: GraphqlCall, form: GraphqlVariant['arguments']) {
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
  const given = Object.entries(call.args).map(([name, value]) => {
    const type = argumentType(call, name);
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

function fieldOf({ kind, field }: GraphqlCall) {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  return roots[kind]?.getFields()[field];
}

function argumentType(call: GraphqlCall, name: string): GraphQLInputType | undefined {
  return fieldOf(call)?.args.find((argument) => argument.name === name)?.type;
}

function namedTypeOf(call: GraphqlCall): string | undefined {
  const type = fieldOf(call)?.type;
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
