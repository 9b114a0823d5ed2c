/** Makes the resources from the datamodel and the catalogue, and checks that both match. */
import type { DMMF } from '@prisma/generator-helper';
import type { CatalogueEntry, Kind, RecordModel, RecordOperation } from './catalogue.js';
import { describeField } from './field.js';
import { capitalized, delegateOf, oneOf, pluralOf, slugOf, titleOf } from './names.js';
import {
  authorColumns,
  connectionField,
  type Lines,
  type Link,
  type Parent,
  type Resource,
  type WayBack,
} from './resource.js';

const gatewayFields = new Set(['id', 'createdAt', 'updatedAt', ...authorColumns, 'version']);

/** @throws if the datamodel and the catalogue do not match; the message names the model and the remedy */
export function createResources(
  { models: described }: Pick<DMMF.Datamodel, 'models'>,
  catalogue: Record<RecordModel, CatalogueEntry>,
): Resource[] {
  const models = new Map(described.map((model) => [model.name, model]));
  const joined = new Map<string, Joined>();
  const ofAnyRecord: Resource[] = [];
  for (const [name, entry] of Object.entries(catalogue) as [RecordModel, CatalogueEntry][]) {
    const model = models.get(name);
    if (!model) throw new Error(`${name} is in the catalogue but not in prisma/models; run npm run generate`);
    const lineTypesOfAnyRecord = mayBelongToAny(model.fields) ? ofAnyRecord : [];
    const related = { parents: [], lines: [], links: [], waysBack: [] };
    const resource = { ...describe(name, model, entry), ...related, lineTypesOfAnyRecord };
    joined.set(name, resource);
    if (lineTypesOfAnyRecord === ofAnyRecord) ofAnyRecord.push(resource);
  }
  for (const child of joined.values()) {
    for (const relation of models.get(child.model)?.fields ?? []) {
      const reference = relation.relationFromFields?.[0];
      const parent = joined.get(relation.type);
      if (!reference || !parent) continue;
      const link = !child.fields.some((field) => field.name === reference);
      child.parents.push({ resource: parent, field: relation.name, reference, link });
      const list = models.get(parent.model)?.fields.find((field) => field.relationName === relation.relationName);
      if (!list?.isList) throw new Error(`${parent.model}: give the relation to ${child.model} a list field`);
      parent.lines.push({ resource: child, field: list.name, reference, description: list.documentation ?? '' });
    }
  }
  addLinks(joined);
  for (const resource of joined.values()) check(resource);
  return [...joined.values()];
}

/** A resource whose relations to others are still being added. */
type Joined = Resource & { parents: Parent[]; lines: Lines[]; links: Link[]; waysBack: WayBack[] };

/** Whether records of the model have the states draft, submitted and cancelled. */
const isDocumentLike = (fields: readonly DMMF.Field[]): boolean =>
  fields.some((field) => field.name === 'status' && field.default === 'draft');

function describe(model: RecordModel, { fields, documentation }: DMMF.Model, entry: CatalogueEntry) {
  const foreignKeys = foreignKeysOf(fields);
  const documented = fields.filter(
    (field) => field.kind === 'scalar' && !gatewayFields.has(field.name) && !foreignKeys.has(field.name),
  );
  const slug = slugOf(model);
  const plural = entry.plural ?? pluralOf(model);
  const ofDocuments = isDocumentLike(fields) ? (['submit', 'cancel'] as const) : [];
  const operations = [...operationsOfKind[entry.kind], ...ofDocuments];
  return {
    model,
    kind: entry.kind,
    area: entry.area,
    slug,
    title: titleOf(model),
    description: documentation ?? '',
    one: oneOf(model),
    many: oneOf(plural),
    plural,
    delegate: delegateOf(model),
    base: `/api/${entry.area}/${slug}`,
    fields: documented.map((field) => describeField(model, field, entry.secrets?.includes(field.name))),
    timestamps: fields.some((field) => field.name === 'createdAt'),
    documentLike: isDocumentLike(fields),
    operations,
    documented: entry.documented ?? operations.filter((each) => entry.kind !== 'child' || each !== 'retrieve'),
    ...(entry.kind === 'child' ? { scope: scopeOf(fields) } : {}),
  };
}

const operationsOfKind: Record<Kind, readonly RecordOperation[]> = {
  resource: ['retrieve', 'list', 'create', 'update', 'delete'],
  singleton: ['retrieve', 'update'],
  child: ['retrieve', 'list', 'create', 'update', 'delete', 'reorder'],
};

/** Whether records of the model are lines that name the type of their parent themselves. */
const mayBelongToAny = (fields: readonly DMMF.Field[]): boolean => fields.some(({ name }) => name === 'parentType');

/**
 * The foreign keys of a child with `parentId` and `parentType`, which may belong to any record; they are not documented
 * fields.
 */
function foreignKeysOf(fields: readonly DMMF.Field[]): Set<string> {
  if (!mayBelongToAny(fields)) return new Set();
  return new Set(fields.flatMap((field) => field.relationFromFields ?? []));
}

function scopeOf(fields: readonly DMMF.Field[]): string {
  const relation = fields.find((field) => field.relationFromFields?.length);
  const scope = fields.some((field) => field.name === 'parentId') ? 'parentId' : relation?.relationFromFields?.[0];
  if (!scope) throw new Error('A child needs a relation to its parent, or parentId and parentType');
  return scope;
}

function check(resource: Resource): void {
  const fail = (what: string) => {
    throw new Error(`${resource.model}: ${what}`);
  };
  if (!resource.description) fail('describe the model with a /// comment in prisma/models');
  for (const field of resource.fields) {
    if (!field.description) fail(`describe the field ${field.name} with a /// comment in prisma/models`);
  }
  if (resource.kind === 'child' && !resource.fields.some((field) => field.name === 'idx'))
    fail('a child needs idx Int');
  // Scopes are granted by area, and reading a record includes its lines and its parent.
  for (const line of resource.lines) {
    if (line.resource.area !== resource.area) fail(`its lines ${line.resource.model} must be of the same area`);
  }
  const missing = resource.documented.filter((operation) => !resource.operations.includes(operation));
  if (missing.length > 0) fail(`the catalogue lists ${missing.join(', ')}, which a ${resource.kind} cannot have`);
}

/**
 * Adds the links of all types, and the ways back: texts that name a record held here. A line in the description of the
 * field in prisma/models says what it names: `Links to: SerialNo by serialNo.` @throws for a link that leads nowhere or
 * whose fields have names that are taken
 */
function addLinks(resources: ReadonlyMap<string, Joined>): void {
  for (const naming of resources.values()) {
    for (const { name, type, description } of naming.fields) {
      const [, model, by] = linkForm.exec(description) ?? [];
      if (model === undefined || by === undefined) continue;
      const named = resources.get(model);
      const isKnown = named && (by === 'id' || named.fields.some((field) => field.name === by && field.required));
      if (!isKnown || type !== 'String') {
        throw new Error(
          `${naming.model}.${name}: its text can name no ${model} by ${by}; name a required text of a model`,
        );
      }
      const link: Link = { field: `${name}Record`, text: name, resource: named, by };
      naming.links.push(link);
      named.waysBack.push({ field: `${oneOf(naming.plural)}By${capitalized(name)}`, resource: naming, link });
    }
  }
  for (const resource of resources.values()) refuseTaken(resource);
}

const linkForm = /^Links to: (\w+) by (\w+)\.$/m;

function refuseTaken({ model, fields, lines, parents, links, waysBack }: Resource): void {
  const names = [
    ...gatewayNames,
    ...fields.map(({ name }) => name),
    ...[...lines, ...parents, ...links, ...waysBack].map(({ field }) => field),
    ...lines.map(connectionField),
  ];
  const taken = names.find((name, index) => names.indexOf(name) !== index);
  if (taken) throw new Error(`${model}: two fields would be called ${taken}; a link needs another name`);
}

const gatewayNames = [...gatewayFields, 'allowedActions', 'displayTitle', 'actions', 'history'];
