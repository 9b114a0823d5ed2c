/** Makes what the pages know of the gateway, once, from the resources, the schema and the endpoints. */
import type { GraphQLSchema } from 'graphql';
import type { Journal } from '../../change/journal/journal.js';
import { gatewayVersion } from '../../common/project.js';
import type { Database } from '../../database/open-database.js';
import type { Endpoint } from '../../gateway/api.js';
import { isDocumentStatus } from '../../model/lifecycle.js';
import { type Resource, singletonId } from '../../model/resource.js';
import type { About, FieldAbout, TypeAbout } from './about.js';

export interface AboutParts {
  schema: GraphQLSchema;
  endpoints: readonly Endpoint[];
  database: Pick<Database, 'provider'>;
  trustedDocuments: object | undefined;
  journal: Pick<Journal, 'isKept'> | undefined;
}

export function aboutOf({ schema, endpoints, database, trustedDocuments, journal }: AboutParts): About {
  return {
    version: gatewayVersion(),
    database: database.provider,
    graphiql: trustedDocuments === undefined,
    history: journal?.isKept ?? false,
    types: recordsOf(endpoints).map((resource) => typeAbout(resource, schema, endpoints)),
  };
}

export const recordsOf = (endpoints: readonly Endpoint[]): Resource[] => [
  ...new Set(endpoints.flatMap(({ resource }) => resource ?? [])),
];

function typeAbout(resource: Resource, schema: GraphQLSchema, endpoints: readonly Endpoint[]): TypeAbout {
  const { model, area, kind, slug, title, description, one, many, documentLike, fields, lines, parents } = resource;
  const queries = schema.getQueryType()?.getFields() ?? {};
  const known = (name: string) => (name in queries ? name : '');
  return {
    ...{ model, area, kind, slug, title, description, hasStates: documentLike },
    ...{ one: known(one), many: known(many), aggregate: known(`${one}Aggregate`) },
    onlyId: kind === 'singleton' ? singletonId(resource) : undefined,
    fields: fields.map((field) => fieldAbout(field, resource)),
    lines: lines.map((line) => ({ model: line.resource.model, field: line.field, description: line.description })),
    parents: parents.map((parent) => ({ model: parent.resource.model, field: parent.field })),
    ofAnyRecord: resource.lineTypesOfAnyRecord.length > 0,
    endpoints: endpoints
      .filter((endpoint) => endpoint.resource === resource)
      .map(({ name, operation = '', method, path }) => ({ name, operation, method, path })),
    mutations: mutationsOf(resource, schema),
    subscription: `${one}Changed` in (schema.getSubscriptionType()?.getFields() ?? {}) ? `${one}Changed` : '',
  };
}

function fieldAbout(field: Resource['fields'][number], resource: Resource): FieldAbout {
  const { name, restName, type, required, nullable, description, knownValues, secret } = field;
  const about = { name, restName, type, required, nullable, default: field.default, description, knownValues, secret };
  return isDocumentStatus(resource, name) ? { ...about, isState: true } : about;
}

/** The mutations of a type, by their names: what the schema does not have is left out. */
function mutationsOf({ model, plural }: Resource, schema: GraphQLSchema): string[] {
  const fields = schema.getMutationType()?.getFields() ?? {};
  const single = ['create', 'save', 'update', 'submit', 'cancel', 'delete'].map((verb) => verb + model);
  const several = ['createMany', 'updateMany', 'deleteMany', 'reorder'].map((verb) => verb + plural);
  return [...single, ...several].filter((name) => name in fields);
}
