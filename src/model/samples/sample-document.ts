/** A document that looks like one of a real business, with its lines. */
import type { Values } from '../change.js';
import { statuses } from '../document-status.js';
import type { Field } from '../field.js';
import { idOf } from '../ids.js';
import { type Resource, singletonId } from '../resource.js';
import type { Chance } from './chance.js';
import { numberOf } from './number-values.js';
import { reconcile } from './reconcile.js';
import { goodsOf, type Story } from './story.js';
import { textOf } from './text-values.js';

export function sampleDocument(resource: Resource, chance: Chance, story: Story): Values {
  const isSingleton = resource.kind === 'singleton';
  const id = isSingleton ? singletonId(resource) : seededId(resource, chance, story);
  const values: Values = { __typename: resource.model, id };
  if (resource.timestamps) {
    values.createdAt = new Date(story.begun).toISOString();
    values.updatedAt = new Date(story.begun + chance.upTo(story.days * 86_400) * 1000).toISOString();
  }
  Object.assign(
    values,
    fieldsOf(resource, chance, story, () => false),
  );
  const step = resource.documentLike ? chance.pick([0, 0, 1, 1, 1, 1, 1, 1, 1, 2]) : 0;
  if (resource.documentLike) values.status = statuses[step];
  // Each step to the next status raised the version.
  values.version = isSingleton ? 2 : 1 + step;
  if (resource.kind === 'child') Object.assign(values, { parentId: `ACC-SINV-${story.number}`, idx: 1 });
  for (const { resource: line, field } of resource.lines) {
    const count = chance.pick([0, 1, 1, 2, 2, 3, 5]);
    values[field] = Array.from({ length: count }, () => lineOf(line, chance, { ...story, ...goodsOf(chance) }));
  }
  reconcile(resource.model, values, story);
  return values;
}

export function lineOf(resource: Resource, chance: Chance, story: Story): Values {
  const fromPlace = [resource.scope, 'idx', 'parentType'];
  const fields = fieldsOf(resource, chance, story, ({ name }) => fromPlace.includes(name));
  const line = { id: seededId(resource, chance, story), ...fields };
  reconcile(resource.model, line, story);
  return line;
}

const seededId = (resource: Resource, { upTo }: Chance, { begun }: Story): string =>
  idOf(resource.slug, begun, () => upTo(31));

function fieldsOf(resource: Resource, chance: Chance, story: Story, without: (field: Field) => boolean): Values {
  const values: Values = {};
  for (const field of resource.fields) if (!without(field)) values[field.name] = fieldValue(field, chance, story);
  return values;
}

function fieldValue(field: Field, chance: Chance, story: Story): unknown {
  const { name, type, nullable, knownValues, secret } = field;
  if (secret) return null;
  if (knownValues.length > 0) {
    if (nullable && chance.chance(0.2)) return null;
    return field.default !== undefined && chance.chance(0.6) ? field.default : chance.pick(knownValues);
  }
  if (type === 'Boolean') return nullable && chance.chance(0.5) ? null : chance.chance(0.2) || field.default === true;
  const value = type === 'String' ? textOf(name)?.(story, chance) : numberOf(name)?.(story, chance);
  const isLeftOut = nullable && chance.chance(value === undefined ? 1 : 0.25);
  if (isLeftOut) return null;
  if (type === 'Int') return Math.round(Number(value ?? field.default ?? 1));
  return value ?? field.default ?? (type === 'String' ? `${resourceless(name)} ${story.number}` : 1);
}

/** `signingFieldId` → `signing field id`: better than nothing, of a required field of which nothing is known. */
const resourceless = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
