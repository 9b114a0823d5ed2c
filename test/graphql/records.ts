/** Records of every type, created through GraphQL with the fields that the document requires. */
import { type GraphQLNamedType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { type DocumentedResource, documentedResources } from '../contract/document.js';
import { documentedFields, modelName, parentReference } from '../contract/documented-fields.js';
import { camel, mutationOf, oneOf } from '../contract/graphql-names.js';
import { plainValue } from '../contract/values.js';
import type { TestGateway } from '../support/gateway.js';
import { schema } from '../support/schema.js';
import { ask } from './ask.js';

type Gateway = Pick<TestGateway, 'graphql'>;

export interface AnyRecord {
  [field: string]: unknown;
  id: string;
}

export function documented(title: string): DocumentedResource {
  const resource = documentedResources.find((candidate) => candidate.title === title);
  if (!resource) throw new Error(`The document has no ${title}`);
  return resource;
}

/** The input of create with the R fields and nothing else; a child's parent is made first unless it is given. */
export async function requiredInput(gateway: Gateway, resource: DocumentedResource, parentId?: string) {
  const fields = documentedFields(resource).filter(({ required }) => required);
  const input = Object.fromEntries(fields.map((field) => [camel(field.name), plainValue(field)]));
  const reference = parentReference(resource);
  return reference ? { ...input, [camel(reference)]: parentId ?? (await createParent(gateway, resource)) } : input;
}

/** Creates a record with its R fields and `more`; answers all of its fields. */
export async function createRecord(
  gateway: Gateway,
  resource: DocumentedResource,
  more: object = {},
  parentId?: string,
): Promise<AnyRecord> {
  const input = { ...(await requiredInput(gateway, resource, parentId)), ...more };
  const { created } = await ask(
    gateway,
    `mutation ($input: Create${modelName(resource.title)}Input!) {
      created: ${mutationOf('create', resource)}(input: $input) { record { ${wholeSelection(resource)} } }
    }`,
    { input },
  );
  return created.record;
}

let foreignParents = 0;

/** The id of a parent without lines: a new record, the singleton, or the name of something held elsewhere. */
export async function createParent(gateway: Gateway, child: DocumentedResource): Promise<string> {
  if (!child.parent) return `parent-${++foreignParents}`;
  const parent = documented(child.parent);
  if (parent.kind !== 'singleton') return (await createRecord(gateway, parent)).id;
  return (await ask(gateway, `{ record: ${oneOf(parent)} { id } }`)).record.id;
}

/**
 * A selection of every field of a record: of other records the id, of other objects all fields; without the history,
 * which differs between answers.
 */
export function wholeSelection({ title }: DocumentedResource): string {
  return ['__typename', ...fieldsOf(schema.getType(modelName(title)))].join(' ');
}

function fieldsOf(type: GraphQLNamedType | undefined): string[] {
  if (!isObjectType(type)) throw new Error(`The schema has no object type ${type?.name}`);
  const fields = Object.values(type.getFields()).filter(({ name }) => name !== 'history');
  return fields.map((field) => {
    const value = getNamedType(field.type);
    if (isLeafType(value)) return field.name;
    const below = isObjectType(value) && !value.getFields().id ? fieldsOf(value) : ['id'];
    return `${field.name} { ${below.join(' ')} }`;
  });
}
