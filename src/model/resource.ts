/**
 * The resources: the datamodel and the catalogue, combined and checked. Everything derived (GraphQL types, REST
 * endpoints, SQL) uses them instead of the datamodel.
 */
import type { DMMF } from '@prisma/generator-helper';
import {
  type Area,
  type CatalogueEntry,
  catalogue,
  type Kind,
  type RecordModel,
  type RecordOperation,
} from '../catalogue.js';
import { datamodel } from '../generated/datamodel.js';
import { describeField, type Field } from './field.js';
import { delegateOf, manyOf, oneOf, slugOf, titleOf } from './names.js';

export interface Resource {
  /** The name of the Prisma model and the GraphQL type. */
  model: RecordModel;
  kind: Kind;
  area: Area;
  slug: string;
  /** The title in the REST documentation, such as `Asset Repair`. */
  title: string;
  description: string;
  /** The GraphQL queries for one record and for many. */
  one: string;
  many: string;
  /** The model's name in the Prisma client. */
  delegate: string;
  /** The REST path, such as `/api/assets/asset-repair`. */
  base: string;
  /** The documented fields in the documented order, without `id`, `createdAt` and `updatedAt`. */
  fields: readonly Field[];
  /** Whether it has `createdAt` and `updatedAt`: all records except lines. */
  timestamps: boolean;
  /** Whether it has the states draft, submitted and cancelled. */
  documentLike: boolean;
  /** The operations of both interfaces; those not in `documented` are extensions. */
  operations: readonly RecordOperation[];
  documented: readonly RecordOperation[];
  /** A child's column that identifies its siblings: `assetRepairId`, or `parentId`. */
  scope?: string;
  /** The possible parents of a child: one, or one for each record type that `parentType` may name. */
  parents: readonly Parent[];
  /** The collections of lines, in the order of the models. */
  lines: readonly Lines[];
}

/** A child's relation to a parent. */
export interface Parent {
  resource: Resource;
  /** The relation field of the child, such as `assetRepair`. */
  field: string;
  /** The child's column with the parent's id, such as `assetRepairId`. */
  reference: string;
  /**
   * Whether the column is the gateway's own foreign key, filled in when `parentId` names an existing record; it is then
   * not a documented field.
   */
  link: boolean;
}

/** A parent's relation to a collection of lines. */
export interface Lines {
  resource: Resource;
  /** The relation field of the parent, such as `consumedItems`. */
  field: string;
  /** The child's column with the parent's id. */
  reference: string;
  description: string;
}

const gatewayFields = new Set(['id', 'createdAt', 'updatedAt', 'version']);

/** The resources of the gateway. */
export const resources: readonly Resource[] = createResources(datamodel, catalogue);

const byModel = new Map<string, Resource>(resources.map((resource) => [resource.model, resource]));
const bySlug = new Map<string, Resource>(resources.map((resource) => [resource.slug, resource]));

export function resourceOf(model: RecordModel): Resource {
  const resource = byModel.get(model);
  if (!resource) throw new Error(`${model} is not in the catalogue`);
  return resource;
}

/** The resource in the slug of an id; undefined for an id of another form. */
export function resourceOfId(id: string): Resource | undefined {
  return bySlug.get(id.slice(0, Math.max(0, id.lastIndexOf('_'))));
}

/** The id of a singleton's only record (docs/decisions.md: Singletons). */
export const singletonId = (resource: Resource): string => `${resource.slug}_default`;

/** @throws if the datamodel and the catalogue do not match; the message names the model and the remedy */
export function createResources(
  { models: described }: Pick<DMMF.Datamodel, 'models'>,
  catalogue: Record<RecordModel, CatalogueEntry>,
): Resource[] {
  const models = new Map(described.map((model) => [model.name, model]));
  const joined = new Map<string, Resource & { parents: Parent[]; lines: Lines[] }>();
  for (const [name, entry] of Object.entries(catalogue) as [RecordModel, CatalogueEntry][]) {
    const model = models.get(name);
    if (!model) throw new Error(`${name} is in the catalogue but not in prisma/models; run npm run generate`);
    joined.set(name, { ...describe(name, model, entry), parents: [], lines: [] });
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
  for (const resource of joined.values()) check(resource);
  return [...joined.values()];
}

function describe(model: RecordModel, { fields, documentation }: DMMF.Model, entry: CatalogueEntry) {
  const links = linkColumns(fields);
  const documented = fields.filter(
    (field) => field.kind === 'scalar' && !gatewayFields.has(field.name) && !links.has(field.name),
  );
  const documentLike = fields.some((field) => field.name === 'status' && field.default === 'draft');
  const slug = slugOf(model);
  return {
    model,
    kind: entry.kind,
    area: entry.area,
    slug,
    title: titleOf(model),
    description: documentation ?? '',
    one: oneOf(model),
    many: entry.many ?? manyOf(model),
    delegate: delegateOf(model),
    base: `/api/${entry.area}/${slug}`,
    fields: documented.map((field) => describeField(model, field)),
    timestamps: fields.some((field) => field.name === 'createdAt'),
    documentLike,
    operations: offered(entry.kind, documentLike),
    documented: entry.documented,
    ...(entry.kind === 'child' ? { scope: scopeOf(fields) } : {}),
  };
}

function offered(kind: Kind, documentLike: boolean): RecordOperation[] {
  if (kind === 'singleton') return ['retrieve', 'update'];
  if (kind === 'child') return ['retrieve', 'list', 'create', 'update', 'delete', 'reorder'];
  return ['retrieve', 'list', 'create', 'update', 'delete', ...(documentLike ? (['submit', 'cancel'] as const) : [])];
}

/**
 * The foreign keys of a child with `parentId` and `parentType`, which may belong to any record; they are not documented
 * fields.
 */
function linkColumns(fields: readonly DMMF.Field[]): Set<string> {
  if (!fields.some((field) => field.name === 'parentType')) return new Set();
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
