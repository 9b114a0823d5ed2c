/**
 * Every clause of the document, under an id that never changes: a new clause gets a new id at the end of its section;
 * an id is never renamed, reused or removed (`clauses.test.ts` checks this). Each is shown by exactly one test, whose
 * name begins with the id. If the document says "not shown", `decision` says what the gateway does.
 */
export interface Clause {
  id: string;
  /** The number of the clause in the document. */
  clause: string;
  /** What the document states, or leaves open. */
  says: string;
  /** What was decided where the document leaves it open. */
  decision?: string;
}

export type ClauseId = (typeof clauses)[number]['id'];

export const clauses = [
  // 1. What the service does
  { id: 'S1-01', clause: '1', says: 'The service is JSON over HTTP, in what it answers and in what it refuses' },
  {
    id: 'S1-02',
    clause: '1',
    says: 'The areas are signing, accounts, setup, assets, subcontracting, stock, manufacturing, CRM and projects',
  },
  {
    id: 'S1-03',
    clause: '1',
    says: 'Every top-level record type is created, retrieved, listed, updated in part and deleted in the same style',
  },
  { id: 'S1-04', clause: '1', says: 'Document-like resources have submit and cancel operations that move `status`' },
  { id: 'S1-05', clause: '1', says: 'Child line items are reached through the id of their parent' },
  { id: 'S1-06', clause: '1', says: 'Two resources are singletons, without list and without create' },
  {
    id: 'S1-07',
    clause: '1',
    says: 'All paths are relative to the service’s base address',
    decision: 'Answers name paths from the root of the service and never a host',
  },
  { id: 'S1-08', clause: '1', says: 'Requests that carry a body send `Content-Type: application/json`' },

  // 2.1 Conventions
  { id: 'S2.1.1-01', clause: '2.1.1', says: 'A top-level id is a string of the form `<resource-slug>_<suffix>`' },
  {
    id: 'S2.1.1-02',
    clause: '2.1.1',
    says: 'The suffix of an id: not shown',
    decision: 'The suffix is 26 lower-case Crockford base32 characters that sort by time of creation',
  },
  {
    id: 'S2.1.1-03',
    clause: '2.1.1',
    says: '`created_at` and `updated_at` are ISO 8601 timestamps, the same until the first update, which moves the latter',
  },
  {
    id: 'S2.1.1-04',
    clause: '2.1.1',
    says: '`id`, `created_at` and `updated_at` are returned and are not body parameters',
    decision: 'In a body they are passed over, so that a record can be sent back as it was read',
  },
  { id: 'S2.1.2-01', clause: '2.1.2', says: 'A field has the type it is listed with and takes no other' },
  { id: 'S2.1.2-02', clause: '2.1.2', says: 'R marks a field required on create' },
  { id: 'S2.1.2-03', clause: '2.1.2', says: 'A default is applied when the field is omitted on create' },
  { id: 'S2.1.2-04', clause: '2.1.2', says: 'On PATCH no field is required' },
  {
    id: 'S2.1.2-05',
    clause: '2.1.2',
    says: 'What null does to a field: not shown',
    decision: 'Null clears an optional field, to its default where it has one, and is refused for a field marked R',
  },
  {
    id: 'S2.1.2-06',
    clause: '2.1.2',
    says: 'Whether values are converted: not shown',
    decision: 'Nothing is converted: "5" is no number and 1 is no boolean; 5.0 is an integer',
  },
  {
    id: 'S2.1.2-07',
    clause: '2.1.2',
    says: 'The range of `number` and `integer`: not shown',
    decision: 'A number is a double and an integer has 32 bits; what lies beyond is refused in every form',
  },
  {
    id: 'S2.1.2-08',
    clause: '2.1.2',
    says: 'Body parameters that are not fields: not shown',
    decision: 'An unknown name is refused, with the name that was probably meant',
  },
  {
    id: 'S2.1.2-09',
    clause: '2.1.2',
    says: 'Which characters a string may hold: not shown',
    decision: 'Strings are kept exactly as sent; U+0000 and halves of surrogate pairs are refused',
  },
  { id: 'S2.1.3-01', clause: '2.1.3', says: 'Date fields are strings, of the form `YYYY-MM-DD`' },
  {
    id: 'S2.1.3-02',
    clause: '2.1.3',
    says: 'Whether a date in another form is refused: not shown',
    decision: 'No date is parsed: text in any form is kept as sent',
  },
  { id: 'S2.1.3-03', clause: '2.1.3', says: 'Timestamps are ISO 8601, and come back as they were sent' },
  {
    id: 'S2.1.3-04',
    clause: '2.1.3',
    says: '`valid_till` and the time fields of time logs are plain strings with no stated format',
  },
  {
    id: 'S2.1.4-01',
    clause: '2.1.4',
    says: 'Allowed values of enumerated string fields: not shown',
    decision: 'Any string is accepted for an enumerated field, those known from other systems among them',
  },
  { id: 'S2.1.4-02', clause: '2.1.4', says: 'Only the listed defaults of enumerated string fields are known' },
  { id: 'S2.1.5-01', clause: '2.1.5', says: 'A child has `id`, `idx` and the reference to its parent' },
  { id: 'S2.1.5-02', clause: '2.1.5', says: '`idx` is an integer, the position within the parent' },
  {
    id: 'S2.1.5-03',
    clause: '2.1.5',
    says: 'Where `idx` begins, and what an omitted one means: not shown',
    decision: '`idx` runs from 1 without gaps; a child without one comes last',
  },
  {
    id: 'S2.1.5-04',
    clause: '2.1.5',
    says: 'What a given `idx` does to the other children: not shown',
    decision: 'A child is inserted at its `idx` and those from there on move down; beyond the end it comes last',
  },
  {
    id: 'S2.1.5-05',
    clause: '2.1.5',
    says: 'What updating `idx` does: not shown',
    decision: 'Updating `idx` moves the child there; the others close up and make room',
  },
  { id: 'S2.1.5-06', clause: '2.1.5', says: 'The parent reference field is required' },
  { id: 'S2.1.5-07', clause: '2.1.5', says: 'The parent reference is a string named `<parent_resource>_id`' },
  {
    id: 'S2.1.5-08',
    clause: '2.1.5',
    says: 'A reference to a parent that does not exist: not shown',
    decision: 'Creating under an unknown parent is refused, with the name of the reference field',
  },
  {
    id: 'S2.1.5-09',
    clause: '2.1.5',
    says: 'Whether a child can change its parent: not shown',
    decision: 'A child keeps its parent: another one is refused as immutable, the same one is passed over',
  },
  { id: 'S2.1.5-10', clause: '2.1.5', says: 'A child has no `created_at` and no `updated_at`' },
  {
    id: 'S2.1.5-11',
    clause: '2.1.5',
    says: 'How long a parent reference may be: not shown',
    decision: 'A parent reference has 1 to 255 characters',
  },
  {
    id: 'S2.1.6-01',
    clause: '2.1.6',
    says: '`access_key` of Currency Exchange Settings is a plain string field, returned as it was sent',
  },

  // 2.2 Signing
  {
    id: 'S2.2-01',
    clause: '2.2',
    says: 'A Signing Document needs a title; it starts as a draft, pending, with every way of signing on',
  },
  {
    id: 'S2.2-02',
    clause: '2.2',
    says: 'A Signing Signature needs its field, its recipient and its type, and has no default',
  },

  // 2.3 Accounts
  {
    id: 'S2.3-01',
    clause: '2.3',
    says: 'A Process Statement Of Accounts needs a company and a report; of its ten switches two are on unless told otherwise',
  },
  {
    id: 'S2.3-02',
    clause: '2.3',
    says: 'The children of Process Statement Of Accounts are CC, with nothing required, and Customer, with `customer`',
  },
  {
    id: 'S2.3-03',
    clause: '2.3',
    says: 'A Financial Report Row needs nothing but its template, and its booleans have no default',
  },
  {
    id: 'S2.3-04',
    clause: '2.3',
    says: 'A Sales Invoice Payment has a field named `default`; no parent resource endpoints are listed for it',
    decision: 'A Sales Invoice Payment has a field named `default` and takes any parent',
  },
  {
    id: 'S2.3-05',
    clause: '2.3',
    says: 'A Tax Withholding Group is a `group_name`; whether it is unique: not shown',
    decision: 'Two Tax Withholding Groups may have the same `group_name`',
  },
  { id: 'S2.3-06', clause: '2.3', says: 'A Bank Reconciliation Tool has no required field' },
  {
    id: 'S2.3-07',
    clause: '2.3',
    says: 'Currency Exchange Settings require `api_endpoint` and `service_provider`; what they are before: not shown',
    decision: 'The R fields of Currency Exchange Settings are null until set, and cannot be set back to null',
  },
  {
    id: 'S2.3-08',
    clause: '2.3',
    says: 'Currency Exchange Settings Details need `key` and `value`, a Result needs `key`',
  },
  { id: 'S2.3-09', clause: '2.3', says: 'Subscription Settings start with one day of grace, no cancelling, prorated' },

  // 2.4 Setup
  {
    id: 'S2.4-01',
    clause: '2.4',
    says: 'A Transaction Deletion Record needs a company, and its six steps start as `Pending`',
  },
  {
    id: 'S2.4-02',
    clause: '2.4',
    says: 'Details and Item of a Transaction Deletion Record need `doctype_name`, To Delete needs nothing',
  },

  // 2.5 Assets
  {
    id: 'S2.5-01',
    clause: '2.5',
    says: 'An Asset Repair needs `failure_date` and `asset`; `repair_cost` is 0 unless given, and nothing is worked out',
  },
  { id: 'S2.5-02', clause: '2.5', says: '`consumed_quantity` of a consumed item is a string' },
  { id: 'S2.5-03', clause: '2.5', says: '`repair_cost` of a purchase invoice is a required number, 0 among them' },

  // 2.6 Subcontracting
  {
    id: 'S2.6-01',
    clause: '2.6',
    says: 'A Subcontracting Order requires six fields, and its title is `{supplier_name}` unless given',
    decision: 'A Subcontracting Order requires six fields; its title is `{supplier_name}`, literally, unless given',
  },
  {
    id: 'S2.6-02',
    clause: '2.6',
    says: 'Child collections of Subcontracting Order and their fields: not shown',
    decision: 'A Subcontracting Order has no child collections',
  },
  {
    id: 'S2.6-03',
    clause: '2.6',
    says: 'Creating a Subcontracting Inward Order supplies six fields',
  },
  {
    id: 'S2.6-04',
    clause: '2.6',
    says: 'Required fields and numeric defaults of Subcontracting Inward Order: not shown',
    decision: 'A Subcontracting Inward Order requires nothing and has no numeric default',
  },
  {
    id: 'S2.6-05',
    clause: '2.6',
    says: 'Required flags of the four children of Subcontracting Inward Order: not shown',
    decision: 'The four children of Subcontracting Inward Order need nothing but their parent',
  },

  // 2.7 Stock
  {
    id: 'S2.7-01',
    clause: '2.7',
    says: 'A Serial And Batch Bundle needs company, item, voucher type and direction; its switches are off',
  },
  { id: 'S2.7-02', clause: '2.7', says: '`status` of a Serial No has no default' },
  {
    id: 'S2.7-03',
    clause: '2.7',
    says: 'Whether `serial_no` is unique: not shown',
    decision: 'Two Serial Nos may have the same `serial_no`',
  },
  { id: 'S2.7-04', clause: '2.7', says: 'The slug of UOM Category is `u-o-m-category`' },

  // 2.8 Manufacturing
  {
    id: 'S2.8-01',
    clause: '2.8',
    says: 'A BOM Creator, slug `b-o-m-creator`, needs company, currency, item and quantity; its conversion rate is 1',
  },
  { id: 'S2.8-02', clause: '2.8', says: 'Creating a Job Card supplies four fields' },
  {
    id: 'S2.8-03',
    clause: '2.8',
    says: 'A Job Card has three numeric defaults of 0 and six boolean defaults of false; which, and what is required: not shown',
    decision: 'A Job Card requires nothing; three of its quantities are 0 and all its booleans false unless given',
  },
  {
    id: 'S2.8-04',
    clause: '2.8',
    says: '`operation_row_number` is a string, `sequence_id` and `operation_row_id` numbers',
  },
  {
    id: 'S2.8-05',
    clause: '2.8',
    says: 'A Job Card Time Log needs `parent_id` and `parent_type`; `completed_qty` is 0 unless given',
  },
  {
    id: 'S2.8-06',
    clause: '2.8',
    says: 'Whether a Job Card Time Log belongs to a Job Card: not shown',
    decision: 'A time log whose `parent_id` is a Job Card shows among its time logs and goes with it',
  },

  // 2.9 Projects
  {
    id: 'S2.9-01',
    clause: '2.9',
    says: 'A Timesheet has two numeric defaults of 0 and one of 1; which, and what is required: not shown',
    decision: 'A Timesheet requires nothing; its hours and billable amount are 0 and its exchange rate 1 unless given',
  },
  { id: 'S2.9-02', clause: '2.9', says: 'A Timesheet Detail needs nothing but its timesheet and has no default' },

  // 2.10 CRM
  { id: 'S2.10-01', clause: '2.10', says: 'An Industry Type is an `industry`' },
  {
    id: 'S2.10-02',
    clause: '2.10',
    says: 'A Quotation requires seven fields, among them two rates; its title has no default',
  },
  {
    id: 'S2.10-03',
    clause: '2.10',
    says: 'Child collections of Quotation and their fields: not shown',
    decision: 'A Quotation has no child collections',
  },

  // 3. States and transitions
  { id: 'S3-01', clause: '3', says: 'Ten resources carry `status`, which starts as `draft`' },
  { id: 'S3-02', clause: '3', says: 'A Serial No has a `status` and is not document-like' },
  { id: 'S3-03', clause: '3', says: 'Submit moves a draft to submitted and answers with the record' },
  { id: 'S3-04', clause: '3', says: 'Cancel moves a submitted record to cancelled and answers with the record' },
  { id: 'S3-05', clause: '3', says: 'Submit and cancel change nothing but `status` and `updated_at`' },
  {
    id: 'S3-06',
    clause: '3',
    says: 'The condition of submit is that the record is a draft',
    decision: 'Submit of a record that is no draft is a conflict that says what state it is in and what it allows',
  },
  {
    id: 'S3-07',
    clause: '3',
    says: 'The condition of cancel is that the record is submitted',
    decision: 'Cancel of a record that is not submitted is a conflict that says what state it is in and what it allows',
  },
  { id: 'S3-08', clause: '3', says: 'Of many simultaneous submits of one draft exactly one finds a draft' },
  { id: 'S3-09', clause: '3', says: 'Submit and cancel exist for eight resources' },
  { id: 'S3-10', clause: '3', says: 'Subcontracting Order has submit' },
  { id: 'S3-11', clause: '3', says: '`status` is accepted as a PATCH body parameter' },
  {
    id: 'S3-12',
    clause: '3',
    says: 'Whether PATCH on `status` is constrained: not shown',
    decision: 'PATCH moves `status` as submit and cancel do; the same state is no move, any other is a conflict',
  },
  {
    id: 'S3-13',
    clause: '3',
    says: 'Whether `status` can be given on create: not shown',
    decision: 'A record is created as a draft: `status` may say so and nothing else',
  },
  {
    id: 'S3-14',
    clause: '3',
    says: 'States other than draft, submitted and cancelled: not shown',
    decision: 'There are no states but draft, submitted and cancelled',
  },
  {
    id: 'S3-15',
    clause: '3',
    says: 'Values and transitions of the step statuses of Transaction Deletion Record: not shown',
    decision: 'The step statuses of a Transaction Deletion Record take any string and are moved by nothing else',
  },
  {
    id: 'S3-16',
    clause: '3',
    says: 'Values and transitions of `signing_status` and `repair_status`: not shown',
    decision: '`signing_status` and `repair_status` take any string and are not moved by submit and cancel',
  },
  {
    id: 'S3-17',
    clause: '3',
    says: 'Status changes of resources with no submit or cancel operation: not shown',
    decision: 'The `status` of a Serial No is changed by PATCH, from any string to any other and to null',
  },
  {
    id: 'S3-18',
    clause: '3',
    says: 'Whether a submitted record can be edited or deleted: not shown',
    decision: 'A submitted or cancelled record can still be edited and deleted',
  },

  // 4. Endpoints
  {
    id: 'S4-01',
    clause: '4',
    says: '`{id}` is a string path parameter',
    decision: '`{id}` is found as it is and percent-encoded',
  },
  { id: 'S4.1-01', clause: '4.1', says: 'Retrieve answers with the record' },
  { id: 'S4.1-02', clause: '4.1', says: 'List answers with `data`, `has_more` and `total`' },
  { id: 'S4.1-03', clause: '4.1', says: 'List is ordered newest created first' },
  { id: 'S4.1-04', clause: '4.1', says: 'The elements of `data` are full records' },
  {
    id: 'S4.1-05',
    clause: '4.1',
    says: 'Create answers with the created record; its status: not shown',
    decision: 'Create answers 201 with the created record, and its path in `Location`',
  },
  { id: 'S4.1-06', clause: '4.1', says: 'Update takes any subset of the fields and leaves the omitted unchanged' },
  { id: 'S4.1-07', clause: '4.1', says: 'Delete answers with `{id, deleted: true}`' },
  { id: 'S4.1-08', clause: '4.1', says: 'Delete is permanent' },
  {
    id: 'S4.1-09',
    clause: '4.1',
    says: 'Submit and cancel take no body',
    decision: 'Submit and cancel take no body; one that is sent is not read',
  },
  {
    id: 'S4.1-10',
    clause: '4.1',
    says: 'Record fields are those of section 2, plus `id`, `created_at` and `updated_at`',
    decision: 'A record has exactly the documented fields, in the document’s order, with null where there is no value',
  },
  {
    id: 'S4.1-11',
    clause: '4.1',
    says: 'What becomes of the children of a deleted record: not shown',
    decision: 'The children of a deleted record go with it',
  },
  { id: 'S4.2-01', clause: '4.2', says: 'List by parent answers with the children of that parent, in order' },
  {
    id: 'S4.2-02',
    clause: '4.2',
    says: '`parent_id` is a required query parameter',
    decision: 'List without `parent_id` is refused, with the name of what is missing',
  },
  {
    id: 'S4.2-03',
    clause: '4.2',
    says: 'List by an unknown parent: not shown',
    decision: 'List by an unknown parent is an empty page',
  },
  { id: 'S4.2-04', clause: '4.2', says: 'Create answers with the created child' },
  { id: 'S4.2-05', clause: '4.2', says: 'Update takes a subset of the child’s fields and answers with the child' },
  { id: 'S4.2-06', clause: '4.2', says: 'Delete answers with `{id, deleted: true}`' },
  {
    id: 'S4.2-07',
    clause: '4.2',
    says: 'What deleting does to the position of the others: not shown',
    decision: 'Deleting a child closes its gap',
  },
  {
    id: 'S4.2-08',
    clause: '4.2',
    says: 'The reorder request payload and its response: not shown',
    decision: 'Reorder takes the parent and every child’s id in the new order, and answers with the list in it',
  },
  {
    id: 'S4.2-09',
    clause: '4.2',
    says: 'A reorder that does not name every child once: not shown',
    decision: 'A reorder that does not name every child once is refused, with what is missing and what is unexpected',
  },
  {
    id: 'S4.2-10',
    clause: '4.2',
    says: 'A reorder without an order: not shown',
    decision: 'A reorder with the parent alone, in body or query, keeps the order',
  },
  {
    id: 'S4.2-11',
    clause: '4.2',
    says: 'A reorder without a body, as it is listed: not shown',
    decision: 'A reorder that names no parent is refused with a message that shows what to send',
  },
  {
    id: 'S4.2-12',
    clause: '4.2',
    says: 'Retrieving one child: not shown',
    decision: 'One child is retrieved by its id',
  },
  {
    id: 'S4.2-13',
    clause: '4.2',
    says: 'Whether `limit` and `offset` hold for children: not shown',
    decision: 'A list of children takes `limit` and `offset` too',
  },
  {
    id: 'S4.3-01',
    clause: '4.3',
    says: 'The nineteen resources are at their bases with their operations and no others',
  },
  { id: 'S4.3-02', clause: '4.3', says: 'Signing Signature has no submit and no cancel' },
  { id: 'S4.3-03', clause: '4.3', says: 'Creating a Bank Reconciliation Tool requires no field' },
  {
    id: 'S4.3-04',
    clause: '4.3',
    says: 'Update, delete, submit and cancel endpoints of Quotation: not shown',
    decision: 'A Quotation is updated, deleted, submitted and cancelled like any document',
  },
  {
    id: 'S4.3-05',
    clause: '4.3',
    says: 'Subcontracting Order cancel: not shown',
    decision: 'A Subcontracting Order is cancelled like any document',
  },
  {
    id: 'S4.3-06',
    clause: '4.3',
    says: 'Child collection endpoints of Subcontracting Order and Quotation: not shown',
    decision: 'There are no child collection endpoints of Subcontracting Order and Quotation',
  },
  { id: 'S4.4-01', clause: '4.4', says: 'A singleton is retrieved without an id' },
  { id: 'S4.4-02', clause: '4.4', says: 'A singleton is updated under its id with any subset of its fields' },
  {
    id: 'S4.4-03',
    clause: '4.4',
    says: 'The id of a singleton: not shown',
    decision: 'The id of a singleton is `<slug>_default`, and any other is unknown',
  },
  {
    id: 'S4.4-04',
    clause: '4.4',
    says: 'No list, create or delete is listed for the singletons',
    decision: 'POST and DELETE are refused on a singleton, with the methods it takes',
  },
  { id: 'S4.5-01', clause: '4.5', says: 'The fifteen child bases have every operation of 4.2' },
  { id: 'S4.5-02', clause: '4.5', says: 'Each child base belongs to the parent it is listed with' },
  {
    id: 'S4.5-03',
    clause: '4.5',
    says: 'Delete and reorder of Process Statement Of Accounts Customer: not shown',
    decision: 'A Process Statement Of Accounts Customer is deleted and reordered like any child',
  },
  {
    id: 'S4.5-04',
    clause: '4.5',
    says: '`parent_id` and `parent_type` are both required on create of a Sales Invoice Payment',
  },
  {
    id: 'S4.5-05',
    clause: '4.5',
    says: '`parent_id` and `parent_type` are both required on create of a Job Card Time Log',
  },
  {
    id: 'S4.5-06',
    clause: '4.5',
    says: 'The list-by-parent response is `{data, has_more, total}`',
  },
  {
    id: 'S4.5-07',
    clause: '4.5',
    says: 'Query parameters other than `limit`, `offset` and `parent_id`: not shown',
    decision: 'Other query parameters are passed over, and a known one is given once',
  },

  // 5. Authentication
  { id: 'S5-01', clause: '5', says: 'Every request carries `Authorization: Bearer <API_KEY>`' },
  {
    id: 'S5-02',
    clause: '5',
    says: 'A request without the header: not shown',
    decision: 'No endpoint answers without a key: 401, `api_key_missing`, `WWW-Authenticate`',
  },
  {
    id: 'S5-03',
    clause: '5',
    says: 'A request with a wrong key: not shown',
    decision: 'A wrong key is refused: 401, `api_key_invalid`, the same for each',
  },
  {
    id: 'S5-04',
    clause: '5',
    says: 'What is checked first: not shown',
    decision: 'The key comes before everything: without one, not even a path is known to be wrong',
  },
  {
    id: 'S5-05',
    clause: '5',
    says: 'How a key is issued, its scopes and its expiry: not shown',
    decision: 'The key in the setting `API_KEY` opens the gateway from its start, on both surfaces',
  },

  // 6. Events
  {
    id: 'S6-01',
    clause: '6',
    says: 'Webhooks, event kinds and notifications: not shown',
    decision: 'GraphQL tells of changes by subscriptions, and manages webhooks; REST has no endpoint for webhooks',
  },

  // 7. Errors
  {
    id: 'S7-01',
    clause: '7',
    says: 'Error response bodies: not shown',
    decision: 'An error is `{"error": {type, code, message, param, errors, request_id}}`',
  },
  {
    id: 'S7-02',
    clause: '7',
    says: 'The answer to a missing required field: not shown',
    decision: 'A missing required field is 400 `parameter_missing`, with its name in `param`',
  },
  {
    id: 'S7-03',
    clause: '7',
    says: 'Several things wrong at once: not shown',
    decision: 'All that is wrong with a body is said at once, the first on top',
  },
  {
    id: 'S7-04',
    clause: '7',
    says: 'The answer to an unknown id: not shown',
    decision: 'An unknown id in the path is 404 `resource_missing`, whatever the operation',
  },
  {
    id: 'S7-05',
    clause: '7',
    says: 'The answer to an invalid state for submit or cancel: not shown',
    decision: 'An invalid state is 409 `invalid_state`, and nothing is changed',
  },
  {
    id: 'S7-06',
    clause: '7',
    says: 'The answer to a body that is not JSON: not shown',
    decision: 'A body that is not a JSON object is 400 `json_invalid` and is not repeated; another type is 415',
  },
  {
    id: 'S7-07',
    clause: '7',
    says: 'The answer to an unknown path: not shown',
    decision: 'An unknown path is 404 `route_not_found`, and paths are case-sensitive',
  },
  {
    id: 'S7-08',
    clause: '7',
    says: 'The answer to a wrong method: not shown',
    decision: 'A wrong method is 405 with the methods the path takes in `Allow`',
  },
  {
    id: 'S7-09',
    clause: '7',
    says: 'HEAD and OPTIONS: not shown',
    decision: 'HEAD answers like GET without the body, and OPTIONS with the methods',
  },
  {
    id: 'S7-10',
    clause: '7',
    says: 'Other forms of errors: not shown',
    decision: 'A client that asks for `application/problem+json` gets the same error as RFC 9457',
  },
  {
    id: 'S7-11',
    clause: '7',
    says: 'How an error is traced: not shown',
    decision: '`request_id` is that of the header `X-Request-Id`, taken from the client or made',
  },
  {
    id: 'S7-12',
    clause: '7',
    says: 'Errors on the GraphQL surface: not shown',
    decision: 'GraphQL says the same of an error: its code, and every problem under its camelCase name',
  },

  // 8. Limits
  { id: 'S8-01', clause: '8', says: '`limit` defaults to 20 and `offset` to 0' },
  { id: 'S8-02', clause: '8', says: '`offset` is the number of records skipped' },
  { id: 'S8-03', clause: '8', says: '`has_more` is false when no further records exist' },
  {
    id: 'S8-04',
    clause: '8',
    says: '`total` is an integer',
    decision: '`total` is the size of the whole list, whatever the page',
  },
  {
    id: 'S8-05',
    clause: '8',
    says: 'Maximum `limit`: not shown',
    decision: '`limit` is 1 to 1000 and `offset` 0 or more; anything else is refused and never clamped',
  },
  {
    id: 'S8-06',
    clause: '8',
    says: 'Size limits: not shown',
    decision: 'A body may have 1 MB; a larger one is 413',
  },
  {
    id: 'S8-07',
    clause: '8',
    says: 'Rate limits: not shown',
    decision: 'The number of requests is not limited unless it is set',
  },

  // 9. Versioning
  { id: 'S9-01', clause: '9', says: 'Paths begin with `/api/` and carry no version segment' },
  {
    id: 'S9-02',
    clause: '9',
    says: 'Version headers, version identifiers and deprecation rules: not shown',
    decision: 'No version header is needed, and none changes an answer',
  },
] as const satisfies readonly Clause[];

/** The clause of this id. Throws where there is none. */
export function clauseOf(id: string): Clause {
  const clause = clauses.find((candidate) => candidate.id === id);
  if (!clause) throw new Error(`${id} is not in clauses.ts`);
  return clause;
}

/** The statement of a clause, which its test shows. */
export const holds = ({ says, decision }: Clause): string => decision ?? says;
