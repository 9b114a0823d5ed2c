/**
 * The pages for people: what runs here, the map of the record types, the records, GraphiQL. They need no key, and show
 * nothing of a record without one: the app asks the public API with the key of the signed-in user.
 */

import type { IncomingMessage } from 'node:http';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { type GraphQLSchema, type IntrospectionQuery, introspectionFromSchema } from 'graphql';
import type { MaybePromise } from '../../common/maybe-promise.js';
import { gatewayVersion } from '../../common/project.js';
import type { BrowserIssuer } from '../../gateway/access/browser-issuer.js';
import type { Joined, JoinedGateway } from '../../gateway/feature.js';
import { pagePolicy } from '../../gateway/http/answer/headers.js';
import { type Packed, packed, sendPacked } from '../../gateway/http/answer/packed.js';
import { knownError } from '../../graphql/shown-errors/show-error.js';
import { isDocumentStatus } from '../../model/lifecycle.js';
import { currencyOf, numberKindOf, presentationOf } from '../../model/presentation.js';
import { type Resource, singletonId } from '../../model/resource.js';
import type { About, FieldAbout, TypeAbout } from './about.js';
import type { FirstFiles, Tool } from './bundle-app.js';
import { pageFiles } from './page-files.js';

/** The pages and their files; and what shows a browser, in place of an answer for programs, that nothing is at its address. */
export function createPages(gateway: JoinedGateway): Joined['routes'] {
  const { schema, trustedDocuments, config, signIns } = gateway;
  const first = Router({ caseSensitive: true, strict: true });
  const resources = [...new Set(gateway.endpoints.flatMap(({ resource }) => resource ?? []))];
  const about = trustedDocuments.derive((trusted) => packedJson(aboutOf(gateway, resources, !trusted)));
  const introspection = trustedDocuments.derive((trusted) =>
    trusted ? undefined : packedJson(introspectionOf(schema, resources)),
  );
  const signIn = signIns.derive(packedJson);
  const policy = signIns.derive(policyWith);
  const sendPage = async (request: Request, response: Response, modules: string[] = [], tool?: Tool): Promise<void> => {
    const depth = request.path.split('/').length - 2;
    response.setHeader('Content-Security-Policy', tool ? forTool(policy.value) : policy.value);
    response.setHeader('Cache-Control', 'no-cache');
    response.type('html').send(html(await pageFiles(), depth, modules, tool));
  };
  const pageWith =
    (modules: string[], tool?: Tool): RequestHandler =>
    async (request, response, next) => {
      if (wantsPage(request, response)) await sendPage(request, response, modules, tool);
      else next();
    };
  const missing: ErrorRequestHandler = async (error, request, response, next) => {
    const isMissing = error instanceof URIError || knownError(error).row.status === 404;
    if (isMissing && isRead(request) && !response.headersSent && wantsPage(request, response)) {
      response.status(404);
      await sendPage(request, response);
    } else next(error);
  };

  first.get('/', pageWith(['overview']), (request, response) => void response.json(waysIn(request, config.publicUrl)));
  first.get('/signed-in', pageWith(['sign-in']));
  first.get('/docs/usage', pageWith(['usage-page']));
  first.get('/schema{/:type}', pageWith(['map-page']));
  first.get('/records{/:type}', pageWith(['records-page']));
  first.get('/records/:type/:id', pageWith(['records-page', 'record-page']));
  first.get('/docs', pageWith(['docs-page'], 'scalar'));
  const file = (path: string, find: (name: unknown) => MaybePromise<Packed | undefined>) =>
    first.get(path, async (request, response, next) => {
      const found = await find(request.params.name);
      if (found) await sendPacked(request, response, found);
      else next();
    });
  file('/pages/about.json', () => about.value);
  file('/pages/sign-in.json', () => signIn.value);
  file('/pages/introspection.json', () => introspection.value);
  file('/pages/:name', async (name) => (await pageFiles()).find(String(name)));
  // GraphiQL at the GraphQL endpoint, for browsers; requests that prefer JSON or carry a key go on to GraphQL.
  first.all('/graphql', async (request, response, next) => {
    if (!isRead(request) || !wantsPage(request, response) || request.headers.authorization) return next();
    await sendPage(request, response, ['graphiql-page'], trustedDocuments.value ? undefined : 'graphiql');
  });
  return { first, missing };
}

const packedJson = (value: unknown): Packed => packed('json', JSON.stringify(value));

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

function wantsPage(request: Request, response: Response): boolean {
  response.vary('Accept');
  return request.accepts(['application/json', 'text/html']) === 'text/html';
}

function aboutOf(gateway: JoinedGateway, resources: readonly Resource[], graphiql: boolean): About {
  return {
    version: gatewayVersion(),
    database: gateway.database.provider,
    graphiql,
    history: gateway.journal?.isKept ?? false,
    types: resources.map((resource) => typeAbout(resource, gateway)),
  };
}

function typeAbout(resource: Resource, { schema, endpoints }: JoinedGateway): TypeAbout {
  const { model, area, kind, slug, title, description, one, many, documentLike, fields, lines, parents } = resource;
  const { waysBack } = resource;
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
    ...presentationOf(resource),
    waysBack: waysBack.map(({ field, resource: { model }, link: { text } }) => ({ field, model, text })),
    endpoints: endpoints
      .filter((endpoint) => endpoint.resource === resource)
      .map(({ name, operation = '', method, path }) => ({ name, operation, method, path })),
    mutations: mutationsOf(resource, schema),
    subscription: `${one}Changed` in (schema.getSubscriptionType()?.getFields() ?? {}) ? `${one}Changed` : '',
  };
}

function fieldAbout(field: Resource['fields'][number], resource: Resource): FieldAbout {
  const { name, restName, type, required, nullable, description, knownValues, secret, formats } = field;
  const about = { name, restName, type, required, nullable, default: field.default, description, knownValues, secret };
  const numberKind = numberKindOf(field);
  const currency = currencyOf(resource, field);
  const link = resource.links.find(({ text }) => text === name);
  return {
    ...about,
    ...(isDocumentStatus(resource, name) ? { isState: true } : {}),
    ...(formats.length > 0 ? { formats } : {}),
    ...(numberKind ? { numberKind } : {}),
    ...(currency ? { currency } : {}),
    ...(link ? { link: { model: link.resource.model, by: link.by, field: link.field } } : {}),
  };
}

/** The mutations of a type, by their names: what the schema does not have is left out. */
function mutationsOf({ model, plural }: Resource, schema: GraphQLSchema): string[] {
  const fields = schema.getMutationType()?.getFields() ?? {};
  const single = ['create', 'save', 'update', 'submit', 'cancel', 'delete'].map((verb) => verb + model);
  const several = ['createMany', 'updateMany', 'deleteMany', 'actOnMany', 'reorder'].map((verb) => verb + plural);
  return [...single, ...several].filter((name) => name in fields);
}

/** What `GET /` answers to clients that are no browser: where things are. */
function waysIn(request: IncomingMessage, publicUrl = '') {
  const base = publicUrl || baseOf(request);
  return {
    name: 'Business Records Gateway',
    rest: `${base}/api`,
    graphql: `${base}/graphql`,
    graphiql: `${base}/graphql`,
    authentication: 'Authorization: Bearer <API_KEY>',
  };
}

/** The gateway's URL by the `Host` header; empty if the header has other characters than an address. */
function baseOf(request: IncomingMessage): string {
  const host = request.headers.host ?? '';
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) ? `http://${host}` : '';
}

/**
 * The answer to GraphiQL's introspection. Its types are in the order in which people look for them: the roots, the records,
 * then connections, inputs and filters, and what is needed least last. To make it takes most of a second once.
 */
function introspectionOf(schema: GraphQLSchema, resources: readonly Pick<Resource, 'model'>[]) {
  const { __schema }: IntrospectionQuery = introspectionFromSchema(schema, {
    schemaDescription: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    inputValueDeprecation: true,
  });
  const records = new Map<string, number>(resources.map(({ model }, index) => [model, index]));
  const placed = __schema.types.map((type, index) => ({ type, group: groupOf(type.name, records), index }));
  placed.sort((a, b) => a.group - b.group || a.index - b.index);
  return { data: { __schema: { ...__schema, types: placed.map(({ type }) => type) } } };
}

const roots = ['Query', 'Mutation', 'Subscription'];

/** The ends of names, by the place of their group. */
const groups = [/Connection$/, /^(Create|Update|Save|Delete)/, /Filter$/, /Order$/, /Aggregate$/];

function groupOf(name: string, records: ReadonlyMap<string, number>): number {
  if (roots.includes(name)) return 0;
  if (records.has(name)) return 1;
  if (name.startsWith('__')) return groups.length + 4;
  const group = groups.findIndex((pattern) => pattern.test(name));
  if (group >= 0) return group + 2;
  // What stands for itself comes before the parts that belong to a record type, such as `AssetRepairEdge`.
  return [...records.keys()].some((model) => name.startsWith(model)) ? groups.length + 3 : groups.length + 2;
}

/** The pages may ask only the gateway, and where people sign in the origins that give their tokens. */
function policyWith(signIns: readonly BrowserIssuer[]): string {
  const origins = new Set(signIns.map(({ token }) => new URL(token).origin));
  return pagePolicy.replace("connect-src 'self'", ["connect-src 'self'", ...origins].join(' '));
}

/** GraphiQL and Scalar make style attributes and elements; scripts are still loaded from files only. */
const forTool = (policy: string): string => policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/**
 * The one HTML page that all pages begin with; the app makes the rest of it. `depth` is the number of folders in the page's path. Addresses are relative, so that the pages also work behind a
 * proxy with a path prefix.
 *
 * The page preloads the scripts of the modules with which it begins, and the files of `tool`, before the script that asks for them
 * has run: the browser loads and compiles them meanwhile. GraphiQL's script takes half a second to compile.
 */
function html({ script, style, parts, tools }: FirstFiles, depth: number, modules: string[], tool?: Tool): string {
  const files = `${'../'.repeat(depth)}pages/`;
  const scripts = new Set(['main', ...modules].flatMap((name) => parts[name] ?? []));
  scripts.delete(script);
  const link = (attributes: string, name: string) => `
    <link ${attributes} href="${files}${name}">`;
  const ahead = [
    ...[...scripts].map((name) => link('rel="modulepreload"', name)),
    ...(tool ? tools[tool] : []).map((name) =>
      link(`rel="preload" as="${name.endsWith('.css') ? 'style' : 'script'}"`, name),
    ),
  ];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Business Records</title>
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="${files}${style}">
    <script type="module" src="${files}${script}"></script>${ahead.join('')}
  </head>
  <body>
    <noscript>These pages need JavaScript. The gateway does not: it answers REST at /api and GraphQL at /graphql.</noscript>
    <div id="root"></div>
    <div id="over"></div>
  </body>
</html>
`;
}

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#2456c7"/>' +
  '<path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>';

const icon = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
