/** The texts of fields, by their names: the first pattern that fits decides. */
import type { Chance } from './chance.js';
import { industries, operations, remarks, type Story, tasks, unitCategories } from './story.js';

type Text = (story: Story, chance: Chance) => string | null;

const day = 24 * 60 * 60 * 1000;
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);
const hourText = (time: number): string => new Date(time - (time % 3_600_000)).toISOString();
const numbered =
  (head: string, digits: number) =>
  ({ number }: Story) =>
    `${head}${String(number).padStart(digits, '0')}`;
const mail = (name: string, place: string): string =>
  `${name}@${place}.example`
    .normalize('NFD')
    .replaceAll(/[^\w@.\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '.')
    .toLowerCase();

const patterns: readonly (readonly [RegExp, Text])[] = [
  [
    /^(completionDate|toDate|endDate|toReferenceDate|bankStatementToDate)$/,
    ({ begun, days }) => dayText(begun + days * day),
  ],
  [/^(validTill|warrantyExpiryDate|amcExpiryDate)$/, ({ begun }) => dayText(begun + 365 * day)],
  [/^clearanceDate$/, ({ begun }) => dayText(begun + 2 * day)],
  [/Date$/, ({ begun }) => dayText(begun)],
  [/^(toTime|completedAt|expiresAt)$/, ({ begun, days }) => hourText(begun + days * day)],
  [/(Time|Datetime|At)$/, ({ begun }) => hourText(begun)],
  [/^downtime$/, ({ days }) => `${days * 8} Hours`],
  [/(^currency|Currency)$/, ({ currency }) => currency],
  [/^company$/, ({ company }) => company.name],
  [/^company(Address|ContactPerson)/, ({ company, city }) => `${company.name}, ${city}`],
  [/([cC]ustomer|[pP]arty)(Name)?$/, ({ partner }) => partner],
  [/^collectionName$/, ({ territory }) => territory],
  [/^supplierWarehouse$/, ({ partner }) => `${partner} Stores`],
  [/^doctypeName$/, () => 'Sales Invoice'],
  [/^key$/, () => 'currency'],
  [/^supplierQuotation$/, numbered('SQTN-', 6)],
  [/^modeOfPayment$/, () => 'Bank Transfer'],
  [/^signing(Field|Recipient)Id$/, numbered('SIGN-', 6)],
  [/supplier/i, ({ partner }) => partner],
  [/^(employee|user|sender)$|^salesPerson$/, ({ employee }) => mail(employee, 'people')],
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
  [/^(costCenter|cc)$/, ({ company, department }) => `${department} - ${company.short}`],
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
  [/^(task|activityType)$/, (_, { pick }) => pick(tasks)],
  [/^(operation|forOperation)$/, (_, { pick }) => pick(operations)],
  [/^workstation/, ({ machine }) => machine],
  [/^workOrder$/, numbered('WO-', 6)],
  [/^(bomNo|semiFgBom|bom)$/, ({ item }) => `BOM-${item.code}-001`],
  [/[iI]nvoice$/, numbered('ACC-SINV-', 6)],
  [/^purchaseOrder|^salesOrder/, numbered('ORD-', 6)],
  [/^voucherNo$|^referenceNo$|^externalId$/, numbered('REF-', 6)],
  [/^referenceName$/, numbered('QTN-', 6)],
  [/^tariffNumber$/, ({ number }) => `8${String(100_000 + (number % 900_000))}00`],
  [/^industry$/, (_, { pick }) => pick(industries)],
  [/^categoryName$/, (_, { pick }) => pick(unitCategories)],
  [/^(groupName|templateName)$/, ({ territory, number }) => `${territory} ${number}`],
  [/PriceList$/, () => 'Standard Selling'],
  [/^(taxCategory|taxesAndCharges)$/, () => 'Domestic 19 %'],
  [/^paymentTermsTemplate$/, () => '30 days net'],
  [/^language$/, () => 'en'],
  [/^timezone$/, () => 'Europe/Berlin'],
  [/^title$/, ({ partner, item }) => `${item.name} for ${partner}`],
  [/^subject$|^emailSubject$/, ({ company }) => `From ${company.name}`],
  [/^typedValue$|^value$/, ({ contact }) => contact],
  [/(description|remarks|note|actionsPerformed|terms|emailMessage|body)$/i, (_, { pick }) => pick(remarks)],
  [/^displayName$/, (_, { pick }) => pick(['Revenue', 'Cost of goods', 'Gross margin', 'Overheads', 'Result'])],
  [/^module$/, () => 'Accounts'],
  [/^report$/, () => 'General Ledger'],
];

const known = new Map<string, Text | undefined>();

/** Undefined if nothing is known of a field of this name. */
export function textOf(name: string): Text | undefined {
  if (!known.has(name)) known.set(name, patterns.find(([pattern]) => pattern.test(name))?.[1]);
  return known.get(name);
}
