/**
 * The GraphQL names of documented things, written here again and not taken from `src/model/names.ts`, which is under
 * test.
 */
import { type DocumentedResource, documentLike } from './document.js';
import { documentedFields, modelName } from './documented-fields.js';

/** `repair_cost` → `repairCost` */
export function camel(name: string): string {
  return name.replaceAll(/_[a-z]/g, (pair) => pair.slice(1).toUpperCase());
}

/** `UOM Category` → `uomCategory`, the query for one record. */
export function oneOf({ title }: DocumentedResource): string {
  const [first = '', ...rest] = title.split(' ');
  return first.toLowerCase() + rest.join('');
}

/** The query for many records. */
export function manyOf(resource: DocumentedResource): string {
  return irregular[resource.title] ?? `${oneOf(resource)}s`;
}

/** Many records behind a verb: `createManyUOMCategories`, `reorderTimesheetDetails`. */
export function pluralOf(resource: DocumentedResource): string {
  const [first = ''] = resource.title.split(' ');
  return first + manyOf(resource).slice(first.length);
}

const irregular: Record<string, string> = {
  'Process Statement Of Accounts': 'processStatementsOfAccounts',
  'Process Statement Of Accounts CC': 'processStatementOfAccountsCCs',
  'Currency Exchange Settings Details': 'currencyExchangeSettingsDetailsList',
  'Transaction Deletion Record Details': 'transactionDeletionRecordDetailsList',
  'Transaction Deletion Record To Delete': 'transactionDeletionRecordsToDelete',
  'UOM Category': 'uomCategories',
};

/** The names of every value of a record: `id`, the documented fields, and the timestamps where there are some. */
export function recordNames(resource: DocumentedResource): string[] {
  const timestamps = resource.kind === 'child' ? [] : ['created_at', 'updated_at'];
  return ['id', ...documentedFields(resource).map(({ name }) => name), ...timestamps];
}

/** The selection of a whole record by its GraphQL names, with the REST names as aliases. */
export function selectionOf(resource: DocumentedResource): string {
  return recordNames(resource)
    .map((name) => `${name}: ${isState(resource, name) ? 'storedStatus' : camel(name)}`)
    .join(' ');
}

/** A REST body under the GraphQL names, also those of states. */
export function inGraphqlNames(resource: DocumentedResource, body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      camel(name),
      isState(resource, name) && typeof value === 'string' ? value.toUpperCase() : value,
    ]),
  );
}

const isState = ({ title }: DocumentedResource, name: string): boolean =>
  name === 'status' && documentLike.includes(title);

/** `createAssetRepair` and its like. */
export function mutationOf(
  verb: 'create' | 'update' | 'save' | 'delete' | 'submit' | 'cancel',
  { title }: DocumentedResource,
) {
  return verb + modelName(title);
}
