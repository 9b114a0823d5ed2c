/** Random bodies of creates and updates, valid and invalid ones. */
import fc from 'fast-check';
import type { RecordModel } from '../../src/model/catalogue.js';
import type { Field } from '../../src/model/field.js';
import type { Resource } from '../../src/model/resource.js';
import { resources } from '../support/resources.js';
import type { Operation } from './value-requests.js';

export interface RandomBody {
  model: RecordModel;
  operation: Operation;
  /** The members, by their names in the document, as JSON text; without the reference to the parent. */
  members: [name: string, json: string][];
  /** Whether it is valid. */
  isRight: boolean;
}

export const randomBody: fc.Arbitrary<RandomBody> = fc
  .constantFrom(...resources)
  .chain((resource) => fc.tuple(fc.constant(resource), fc.constantFrom(...operationsOf(resource))))
  .chain(([resource, operation]) => bodyOf(resource, operation));

function operationsOf({ kind }: Resource): Operation[] {
  return kind === 'singleton' ? ['update'] : ['create', 'create', 'update'];
}

function bodyOf(resource: Resource, operation: Operation): fc.Arbitrary<RandomBody> {
  const fields = resource.fields.filter(({ name }) => name !== resource.scope);
  const required = fields.filter((field) => operation === 'create' && isRequired(resource, field));
  const others = fields.filter((field) => !required.includes(field));
  return fc
    .record({
      chosen: fc.subarray(others, { maxLength: Math.min(8, others.length) }),
      faults: fc.array(faultOf(resource, operation, fields, required), { maxLength: 2 }),
    })
    .chain(({ chosen, faults }) =>
      membersOf(resource, operation, [...required, ...chosen]).map((members) => {
        const body = new Map(members);
        for (const fault of faults) fault(body);
        return { model: resource.model, operation, members: [...body], isRight: faults.length === 0 };
      }),
    );
}

function membersOf(resource: Resource, operation: Operation, fields: Field[]): fc.Arbitrary<[string, string][]> {
  return fc.tuple(
    ...fields.map((field) =>
      rightValue(resource, operation, field).map((json): [string, string] => [field.restName, json]),
    ),
  );
}

/** A change that makes a body invalid, whatever other changes are made. */
type Fault = (body: Map<string, string>) => void;

function faultOf(resource: Resource, operation: Operation, fields: Field[], required: Field[]): fc.Arbitrary<Fault> {
  const wrong = fc.constantFrom(...fields).chain((field) =>
    wrongValue(resource, operation, field).map(
      (json): Fault =>
        (body) =>
          body.set(field.restName, json),
    ),
  );
  const unknown = unknownName(resource).map(
    (name): Fault =>
      (body) =>
        body.set(name, '1'),
  );
  const missing = required.map((field) => fc.constant<Fault>((body) => body.delete(field.restName)));
  return fc.oneof({ arbitrary: wrong, weight: 3 }, unknown, ...missing.slice(0, 2));
}

function rightValue(resource: Resource, operation: Operation, field: Field): fc.Arbitrary<string> {
  const json = isState(resource, field)
    ? rightState(operation)
    : isPlace(resource, field)
      ? place
      : rightValues[field.type];
  const mayBeNull = !isRequired(resource, field) && !(isPlace(resource, field) && operation === 'update');
  return mayBeNull ? fc.oneof({ arbitrary: json, weight: 9 }, fc.constant('null')) : json;
}

function wrongValue(resource: Resource, operation: Operation, field: Field): fc.Arbitrary<string> {
  const values = [...wrongValues[field.type]];
  if (isRequired(resource, field)) values.push('null');
  if (isPlace(resource, field)) values.push('0', '-1');
  if (isState(resource, field))
    values.push('"done"', '"DRAFT"', '""', ...(operation === 'create' ? ['"submitted"'] : []));
  return fc.constantFrom(...values);
}

const isRequired = (resource: Resource, field: Field): boolean =>
  (field.required && field.name !== 'idx') || requiredOnceSet.includes(`${resource.model}.${field.name}`);
/** Marked R, but null until they are set: a singleton is never created. */
const requiredOnceSet = ['CurrencyExchangeSettings.apiEndpoint', 'CurrencyExchangeSettings.serviceProvider'];
const isState = (resource: Resource, { name }: Field): boolean => resource.documentLike && name === 'status';
const isPlace = (resource: Resource, { name }: Field): boolean => resource.kind === 'child' && name === 'idx';

const place = fc.integer({ min: 1, max: 40 }).map(String);

function rightState(operation: Operation): fc.Arbitrary<string> {
  return fc.constantFrom('"draft"', ...(operation === 'update' ? ['"submitted"', '"cancelled"'] : []));
}

const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('__proto__', '{title}', '', ' '),
  )
  .filter((value) => !value.includes('\u0000'));

const rightValues: Record<Field['type'], fc.Arbitrary<string>> = {
  String: text.map((value) => JSON.stringify(value)),
  Float: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.maxSafeInteger().map(String),
    fc.constantFrom('5.0', '1E2', '-0', '-0.0', '1e-400', '123456789012345678901234567890', '1.7976931348623157e308'),
  ),
  Int: fc.oneof(fc.integer().map(String), fc.constantFrom('5.0', '1e3', '-0', '2147483647', '-2147483648')),
  Boolean: fc.boolean().map(String),
};

const wrongValues: Record<Field['type'], readonly string[]> = {
  String: ['5', 'true', '[]', '{}', '["x"]', '"\\u0000"', '"a\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '1e999'],
  Float: ['"5"', '""', 'true', '[5]', '{}', '1e999', '-1e999', '"NaN"'],
  Int: ['"5"', '""', 'false', '[5]', '{}', '1e999', '1.5', '2147483648', '-2147483649', '1e-9'],
  Boolean: ['0', '1', '""', '"true"', '[]', '{}'],
};

/** A name that neither surface knows for this resource, and that REST does not ignore. */
function unknownName({ fields, lines }: Resource): fc.Arbitrary<string> {
  const known = new Set(['id', 'created_at', 'updated_at', ...lines.map(({ field }) => field)]);
  for (const { name, restName } of fields) known.add(name).add(restName);
  return fc
    .oneof(
      fc.constantFrom(
        '__proto__',
        'constructor',
        'toString',
        'version',
        '',
        'createdAt',
        ...fields.map(({ restName }) => `${restName}x`),
      ),
      fc.string({ unit: 'binary', maxLength: 120 }),
    )
    .filter((name) => !known.has(name));
}
