/** Documents of every type with odd values, as lines of JSON: the same ones for the same seed. */

import { documentTypes } from '../../../src/features/transfer/document-types.js';
import type { Field } from '../../../src/model/field.js';
import { type Resource, scopeOf, singletonId } from '../../../src/model/resource.js';
import { chanceOf } from '../../compiled/random.js';
import { oddDoubles } from '../../support/odd-doubles.js';
import { resources } from '../../support/resources.js';

type Document = Record<string, unknown>;

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

export function oddDocuments(count: number, seed: number): Document[] {
  const { pick, upTo } = chanceOf(seed);
  const doubles = oddDoubles(60, seed);
  const texts = [
    '',
    ' ',
    'plain',
    '"\\\n\r\t',
    '""',
    '"""',
    'äöü ½ 😀',
    '\u2028\u2029\u0001\uFEFF',
    '{}',
    'null',
    '1e5',
    "o'clock",
    '💼'.repeat(300),
  ];
  let ids = 0;

  function idOf({ slug }: Resource): string {
    const random = Array.from({ length: 11 }, () => letters[upTo(31)]).join('');
    return `${slug}_01k${letters[upTo(9)]}${String(ids++).padStart(11, '0')}${random}`;
  }

  const instant = () => new Date(1_700_000_000_000 + upTo(60_000_000) * 1000 + upTo(999)).toISOString();

  function fieldValue({ name, type, nullable, knownValues }: Field, { documentLike }: Resource): unknown {
    if (name === 'status' && documentLike) return pick(['draft', 'submitted', 'cancelled']);
    if (nullable && upTo(3) === 0) return null;
    if (type === 'Boolean') return upTo(1) === 1;
    if (type === 'Int') return pick([0, 1, -1, 2 ** 31 - 1, -(2 ** 31), upTo(1000)]);
    if (type === 'Float') return pick(doubles) + 0;
    return pick([...texts, ...knownValues]);
  }

  function recordOf(resource: Resource, without: (name: string) => boolean): Document {
    const [createdAt, updatedAt] = [instant(), instant()].sort();
    const author = () => [null, 'key:brg_01wznpst6q3y', 'https://login.example|Ä, "Ö"'][upTo(2)];
    const times = resource.timestamps ? { createdAt, updatedAt, createdBy: author(), updatedBy: author() } : {};
    const fields = resource.fields.filter(({ name }) => !without(name));
    return {
      id: idOf(resource),
      version: 1 + upTo(4),
      ...times,
      ...Object.fromEntries(fields.map((field) => [field.name, fieldValue(field, resource)])),
    };
  }

  function documentOf(resource: Resource): Document {
    const document: Document = { __typename: resource.model, ...recordOf(resource, () => false) };
    if (resource.kind === 'singleton') Object.assign(document, { id: singletonId(resource), version: 7 });
    for (const { resource: line, field } of resource.lines) {
      const ofPlace = [scopeOf(line), 'idx', 'parentType'];
      document[field] = Array.from({ length: upTo(3) }, () => recordOf(line, (name) => ofPlace.includes(name)));
    }
    return document;
  }

  const all: Document[] = [];
  for (const resource of documentTypes(resources)) {
    if (resource.kind === 'child') {
      for (const parentId of ['SINV-1', 'ä 2', `${resource.slug}_none`]) {
        for (let idx = 1; idx <= 3; idx++) {
          const line = { ...recordOf(resource, () => false), parentId, parentType: 'Sales Invoice', idx };
          all.push({ __typename: resource.model, ...line });
        }
      }
      continue;
    }
    const many = resource.kind === 'singleton' ? 1 : Math.max(2, Math.floor(count / 20));
    for (let index = 0; index < many; index++) all.push(documentOf(resource));
  }
  return all;
}

export const linesOf = (documents: readonly Document[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');
