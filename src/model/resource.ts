/**
 * The resources: datamodel, catalogue and names joined once when the process starts, and checked. Everything derived
 * (GraphQL types, REST endpoints, SQL) reads from here; nothing else looks at the datamodel.
 */
import type { DMMF } from '@prisma/generator-helper';
import {
  type Area,
  type CatalogueEntry,
  catalogue,
  type Kind,
  type Operation,
  type RecordModel,
} from '../catalogue.js';
import { datamodel } from '../generated/datamodel.js';
import { type Field, fieldOf } from './field.js';
import { delegateOf, manyOf, oneOf, slugOf, titleOf } from './names.js';

export interface Resource {
  /** Prisma model and GraphQL type. */
  model: RecordModel;
  kind: Kind;
  area: Area;
  slug: string;
  /** As the document writes it, `Asset Repair`. */
  title: string;
  description: string;
  /** GraphQL query for one record, and for many. */
  one: string;
  many: string;
  /** The Prisma client's name for the model. */
  delegate: string;
  /** REST path, `/api/assets/asset-repair`. */
  base: string;
  /** The document's fields in the document's order, without `id`, `createdAt` and `updatedAt`. */
  fields: readonly Field[];
  /** Carries `createdAt` and `updatedAt`: every record but a child (document 2.1.1, 2.1.5). */
  timestamps: boolean;
  /** Has the states draft, submitted and cancelled (document 3). */
  documentLike: boolean;
  /** Offered on both surfaces; those not in `documented` are extensions. */
  operations: readonly Operation[];
  documented: readonly Operation[];
  /** A child's field by which its siblings are listed and ordered: `assetRepairId`, or `parentId`. */
  scope?: string;
  /** The records a child belongs to: one, or for `parentId`/`parentType` children one per kind of parent we hold. */
  parents: readonly Parent[];
  /** The child collections, in the order of the models. */
  lines: readonly Lines[];
}

/** The way from a child to a parent. */
export interface Parent {
  resource: Resource;
  /** The field on the child: `assetRepair`. */
  field: string;
  /** The column that holds the parent's id: `assetRepairId`. */
  reference: string;
  /** The reference is the gateway's own, filled when `parentId` names such a record; it is not a field of the document. */
  link: boolean;
}

/** The way from a parent to one of its child collections. */
export interface Lines {
  resource: Resource;
  /** The field on the parent: `consumedItems`. */
  field: string;
  /** The child's column that holds the parent's id. */
  reference: string;
  description: string;
}

const gatewayFields = new Set(['id', 'createdAt', 'updatedAt', 'version']);

/** Those of the gateway. */
export const resources: readonly Resource[] = createResources(datamodel, catalogue);

const byModel = new Map<string, Resource>(resources.map((resource) => [resource.model, resource]));
const bySlug = new Map<string, Resource>(resources.map((resource) => [resource.slug, resource]));

export function resourceOf(model: RecordModel): Resource {
  const resource = byModel.get(model);
  if (!resource) throw new Error(`${model} is not in the catalogue`);
  return resource;
}

/** The resource an id belongs to, read off its slug; undefined where the id has no known form. */
export function resourceOfId(id: string): Resource | undefined {
  return bySlug.get(id.slice(0, Math.max(0, id.lastIndexOf('_'))));
}

/** The id of a singleton's only record (decision: singletons). */
export const singletonId = (resource: Resource): string => `${resource.slug}_default`;

/** @throws with the model and the mend, where the datamodel and the catalogue do not fit together */
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
    fields: documented.map((field) => fieldOf(model, field)),
    timestamps: fields.some((field) => field.name === 'createdAt'),
    documentLike,
    operations: offered(entry.kind, documentLike),
    documented: entry.documented,
    ...(entry.kind === 'child' ? { scope: scopeOf(fields) } : {}),
  };
}

function offered(kind: Kind, documentLike: boolean): Operation[] {
  if (kind === 'singleton') return ['retrieve', 'update'];
  if (kind === 'child') return ['retrieve', 'list', 'create', 'update', 'delete', 'reorder'];
  return ['retrieve', 'list', 'create', 'update', 'delete', ...(documentLike ? (['submit', 'cancel'] as const) : [])];
}

/** A child with `parentId` and `parentType` belongs to any record; its foreign keys are the gateway's own. */
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
  // A key is bounded by areas, and whoever reads a record reads its lines and its parent.
  for (const line of resource.lines) {
    if (line.resource.area !== resource.area) fail(`its lines ${line.resource.model} must be of the same area`);
  }
  const missing = resource.documented.filter((operation) => !resource.operations.includes(operation));
  if (missing.length > 0) fail(`the catalogue lists ${missing.join(', ')}, which a ${resource.kind} cannot have`);
}
