/** A document that looks like one of a real business, with its lines. */

import type { Values } from '../change.js';
import type { Field } from '../field.js';
import { idOf } from '../ids.js';
import { statuses } from '../lifecycle.js';
import { presentationOf } from '../presentation.js';
import { type Resource, singletonId } from '../resource.js';
import { hourly, reconcile } from './reconcile.js';
import {
  type Chance,
  goodsOf,
  industries,
  operations,
  remarks,
  rounded,
  type Story,
  tasks,
  unitCategories,
} from './story.js';

export function sampleDocument(resource: Resource, chance: Chance, story: Story): Values {
  const isSingleton = resource.kind === 'singleton';
  const id = isSingleton ? singletonId(resource) : seededId(resource, chance, story);
  const values: Values = { __typename: resource.model, id };
  if (resource.timestamps) {
    values.createdAt = new Date(story.begun).toISOString();
    values.updatedAt = new Date(story.begun + chance.upTo(story.days * 86_400) * 1000).toISOString();
  }
  Object.assign(values, fieldsOf(resource, chance, story));
  const step = resource.documentLike ? chance.pick([0, 0, 1, 1, 1, 1, 1, 1, 1, 2]) : 0;
  if (resource.documentLike) values.status = statuses[step];
  // Each step to the next status raised the version.
  values.version = isSingleton ? 2 : 1 + step;
  if (resource.kind === 'child') Object.assign(values, { parentId: `ACC-SINV-${story.number}`, idx: 1 });
  for (const { resource: line, field } of resource.lines) {
    const count = chance.pick([1, 1, 1, 2, 2, 3, 5]);
    values[field] = Array.from({ length: count }, () => lineOf(line, chance, { ...story, ...goodsOf(chance) }));
  }
  reconcile(resource.model, values, story);
  return values;
}

function lineOf(resource: Resource, chance: Chance, story: Story): Values {
  const fields = fieldsOf(resource, chance, story, [resource.scope, 'idx', 'parentType']);
  const line = { id: seededId(resource, chance, story), ...fields };
  reconcile(resource.model, line, story);
  return line;
}

const seededId = (resource: Resource, { upTo }: Chance, { begun }: Story): string =>
  idOf(resource.slug, begun, () => upTo(31));

/** The fields of a record but for those that follow from its place. */
function fieldsOf(resource: Resource, chance: Chance, story: Story, placed: readonly unknown[] = []): Values {
  const values: Values = {};
  const { namedBy, listed } = presentationOf(resource);
  const looked = new Set([...namedBy.flat(), ...listed]);
  for (const field of resource.fields)
    if (!placed.includes(field.name)) values[field.name] = fieldValue(field, looked.has(field.name), chance, story);
  return values;
}

/** What people look for in a list is filled in, as far as something is known of such a field. */
function fieldValue(field: Field, isLookedFor: boolean, chance: Chance, story: Story): unknown {
  const { name, type, secret } = field;
  const nullable = field.nullable && !isLookedFor;
  const knownValues = field.knownValues.filter((value) => value !== '');
  if (secret) return null;
  if (knownValues.length > 0) {
    if (nullable && chance.chance(0.2)) return null;
    return field.default && chance.chance(0.6) ? field.default : chance.pick(knownValues);
  }
  if (type === 'Boolean') return nullable && chance.chance(0.5) ? null : chance.chance(0.2) || field.default === true;
  const value = type === 'String' ? textOf(name, story, chance) : numberOf(name, story, chance);
  const isLeftOut = value === undefined ? field.nullable : nullable && chance.chance(0.25);
  if (isLeftOut) return null;
  if (type === 'Int') return Math.round(Number(value ?? field.default ?? 1));
  return value ?? field.default ?? (type === 'String' ? `${resourceless(name)} ${story.number}` : 1);
}

/** `signingFieldId` → `signing field id`: better than nothing, of a required field of which nothing is known. */
const resourceless = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The value of a field: always the same, one of several, or what its story says. */
type Source<Value> = Value | readonly Value[] | ((story: Story, chance: Chance) => Value);

/** The value of a field by its name: that of the first pattern that fits. Undefined if nothing is known of such a field. */
function byName<Value extends string | number>(patterns: readonly (readonly [RegExp, Source<Value>])[]) {
  const known = new Map<string, Source<Value> | undefined>();
  return (name: string, story: Story, chance: Chance): Value | undefined => {
    if (!known.has(name)) known.set(name, patterns.find(([pattern]) => pattern.test(name))?.[1]);
    const source = known.get(name);
    if (typeof source === 'function') return source(story, chance);
    return typeof source === 'object' ? chance.pick(source) : source;
  };
}

const hours = (_: Story, { pick }: Chance): number => pick([1, 1.5, 2, 3, 4.5, 6, 7.5]);

/** `reconcile` then sets the totals, and the `base…` fields, which are amounts in the currency of the company. */
const numberOf = byName<number>([
  [/^(conversionRate|exchangeRate|plcConversionRate)$/, ({ rate }) => rate],
  [/[cC]onversionFactor$/, 1],
  [/^billingRate$|^hourRate$/, hourly * 1.5],
  [/^costingRate$/, hourly],
  [/Percentage$/, 0],
  [/^per[A-Z]/, [25, 50, 75, 100]],
  [/^repairCost$/, ({ days }) => hourly * (days + 1)],
  [/AdditionalCosts$/, [0, 40, 85]],
  [/^(noOfDocs|documentCount)$/, [3, 12, 48, 260]],
  [/[rR]ate$|^price/, ({ item }) => item.price],
  [/(^(expected|billing|total|totalBillable))?[hH]ours$/, hours],
  [/Mins$|^timeRequired$/, (story, chance) => hours(story, chance) * 60],
  [/(lossQty|LossQty|returnedQty|djustment|iscountAmount)$/, 0],
  [/([qQ]ty|[qQ]uantity)$/, ({ quantity }) => quantity],
  [/[wW]eight$/, ({ quantity }) => rounded(quantity * 1.8)],
  [/^sequenceId$|RowId$/, [1, 2, 3, 4, 5]],
  [/(amount|total|cost|value|balance)/i, ({ item, quantity }) => rounded(item.price * quantity)],
  [/^warrantyPeriod$/, 365],
  [/^increaseInAssetLife$/, [6, 12, 24]],
  [/^indentationLevel$/, [0, 1, 2, 3]],
]);

const day = 24 * 60 * 60 * 1000;
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);
/** An hour of a working day. */
const hourText = (time: number): string =>
  new Date(time - (time % day) + (8 + (Math.floor(time / 3_600_000) % 9)) * 3_600_000).toISOString();
const numbered =
  (head: string, digits: number) =>
  ({ number }: Story) =>
    `${head}${String(number).padStart(digits, '0')}`;
const mail = (name: string, place: string): string =>
  `${name}@${place}.example`
    .normalize('NFD')
    .replaceAll(/[^\w@.\s-]/g, '')
    .replaceAll(/\s+/g, '.')
    .toLowerCase();

/** The texts of fields. */
const textOf = byName<string>([
  [
    /^(completionDate|toDate|endDate|toReferenceDate|bankStatementToDate|scheduleDate|expectedEndDate|actualEndDate)$/,
    ({ begun, days }) => dayText(begun + days * day),
  ],
  [/^validTill$/, ({ begun }) => dayText(begun + 30 * day)],
  [/^(warrantyExpiryDate|amcExpiryDate)$/, ({ begun }) => dayText(begun + 365 * day)],
  [/^clearanceDate$/, ({ begun }) => dayText(begun + 2 * day)],
  [/Date$/, ({ begun }) => dayText(begun)],
  [/^expiresAt$/, ({ begun }) => hourText(begun + 30 * day)],
  [/^(toTime|completedAt)$/, ({ begun, days }) => hourText(begun + days * day)],
  [/(Time|Datetime|At)$/, ({ begun }) => hourText(begun)],
  [/^downtime$/, ({ days }) => `${days * 8} Hours`],
  [/(^currency|Currency)$/, ({ currency }) => currency],
  [/^company$/, ({ company }) => company.name],
  [/^company(Address|ContactPerson)/, ({ company, city }) => `${company.name}, ${city}`],
  [/([cC]ustomer|[pP]arty)(Name)?$/, ({ partner }) => partner],
  [/^collectionName$/, ({ territory }) => territory],
  [/^supplierWarehouse$/, ({ partner }) => `${partner} Stores`],
  [/^doctypeName$/, ['Sales Invoice', 'Sales Order', 'Quotation', 'Delivery Note', 'Stock Entry']],
  [/^companyField$/, 'company'],
  [/^bankAccount$/, ({ company }) => `Main Account - ${company.short}`],
  [/^key$/, 'currency'],
  [/^supplierQuotation$/, numbered('SQTN-', 6)],
  [/^modeOfPayment$/, 'Bank Transfer'],
  [/^signing(Field|Recipient)Id$/, numbered('SIGN-', 6)],
  [/supplier/i, ({ partner }) => partner],
  [/^(employee|user|sender|cc)$|^salesPerson$/, ({ employee }) => mail(employee, 'people')],
  [/^employeeName$/, ({ employee }) => employee],
  [/Email$/, ({ contact, partner }) => mail(contact, partner.replaceAll(' ', '-'))],
  [/Mobile$/, ({ number }) => `+49 40 ${String(5_000_000 + number)}`],
  [/^contact/, ({ contact }) => contact],
  [/ddress(Display)?$/, ({ partner, city }) => `${partner}, Hafenstraße 12, ${city}`],
  [/^(territory|location|namedPlace)$/, ({ territory }) => territory],
  [/^department$/, ({ department }) => department],
  [/^asset$/, numbered('ASSET-', 5)],
  [/^assetName$/, ({ machine }) => machine],
  [/arehouse$/, ({ company, item }) => `${item.group} - ${company.short}`],
  [/^costCenter$/, ({ company, department }) => `${department} - ${company.short}`],
  [/ccount$/, ({ company }) => `Sundry Expenses - ${company.short}`],
  [/^(itemCode|productionItem|finishedGood|item|fgItem|rmItemCode|mainItemCode)$/, ({ item }) => item.code],
  [/^itemName$/, ({ item }) => item.name],
  [/^itemGroup$/, ({ item }) => item.group],
  [/([uU]om|UOM)$/, ({ item }) => item.unit],
  [/Qty$|Quantity$/, ({ quantity }) => String(quantity)],
  [/^serialNo$/, ({ item, number }) => `${item.code}-S${number}`],
  [/^batchNo$/, ({ item, begun }) => `${item.code}-${dayText(begun).slice(0, 7)}`],
  [/^serialAndBatchBundle$/, numbered('SABB-', 6)],
  [/^(project|parentProject|projectName)$/, ({ project }) => project],
  [/^(task|activityType)$/, tasks],
  [/^(operation|forOperation)$/, operations],
  [/^workstation/, ({ machine }) => machine],
  [/^workOrder$/, numbered('WO-', 6)],
  [/^(bomNo|semiFgBom|bom)$/, ({ item }) => `BOM-${item.code}-001`],
  [/^purchaseInvoice$/, numbered('ACC-PINV-', 6)],
  [/[iI]nvoice$/, numbered('ACC-SINV-', 6)],
  [/^purchaseOrder|^salesOrder/, numbered('ORD-', 6)],
  [/^voucherNo$|^referenceNo$|^externalId$/, numbered('REF-', 6)],
  [/^referenceName$/, numbered('QTN-', 6)],
  [/^tariffNumber$/, ({ number }) => `8${String(100_000 + (number % 900_000))}00`],
  [/^industry$/, industries],
  [/^categoryName$/, unitCategories],
  [/^templateName$/, ({ company, number }) => `Monthly report ${company.short} ${number}`],
  [/^groupName$/, ({ territory, number }) => `${territory} ${number}`],
  [/PriceList$/, 'Standard Selling'],
  [/^(taxCategory|taxesAndCharges)$/, 'Domestic 19 %'],
  [/^paymentTermsTemplate$/, '30 days net'],
  [/^language$/, 'en'],
  [/^timezone$/, 'Europe/Berlin'],
  [/^title$/, ({ partner, item }) => `${item.name} for ${partner}`],
  [/^subject$|^emailSubject$/, ({ company }) => `From ${company.name}`],
  [/^typedValue$|^value$/, ({ contact }) => contact],
  [/(description|remarks|note|actionsPerformed|terms|emailMessage|body)$/i, remarks],
  [/^displayName$/, ['Revenue', 'Cost of goods', 'Gross margin', 'Overheads', 'Result']],
  [/^module$/, 'Accounts'],
]);
