/** Documents that look like those of a real business: the same ones for the same seed. */
import type { RecordModel } from '../../../model/catalogue.js';
import type { Values } from '../../../model/change.js';
import type { Resource } from '../../../model/resource.js';
import { chanceOf } from '../../../model/samples/chance.js';
import { sampleDocument } from '../../../model/samples/sample-document.js';
import { storyOf } from '../../../model/samples/story.js';
import { documentTypes } from '../document-types.js';

/** How many documents of a type there are for each one of an unlisted type: daily business makes the most. */
const shares: Partial<Record<RecordModel, number>> = {
  Quotation: 12,
  Timesheet: 12,
  JobCard: 12,
  SerialNo: 10,
  AssetRepair: 8,
  SerialAndBatchBundle: 8,
  SubcontractingInwardOrder: 6,
  SubcontractingOrder: 6,
  SigningDocument: 6,
  SigningSignature: 6,
  SalesInvoicePayment: 6,
};

/** The documents are of these years, in the order of their numbers. */
const years = { from: Date.UTC(2020, 0, 1), to: Date.UTC(2026, 0, 1), longestStep: 60_000 };

/** A document by its number from 0. The first ones are of each type once, so that even few show all. */
export function seedDocuments(resources: readonly Resource[], records: number, seed: number) {
  const types = documentTypes(resources);
  const many = types.filter(({ kind }) => kind !== 'singleton');
  const drawn = many.flatMap((type) => Array<Resource>(shares[type.model] ?? 1).fill(type));
  const step = Math.min(years.longestStep, Math.floor((years.to - years.from) / Math.max(1, records)));
  return (number: number): Values => {
    const chance = chanceOf(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
    const type = types[number] ?? chance.pick(drawn);
    const begun = years.from + number * step;
    return sampleDocument(type, chance, storyOf(chance, begun, number));
  };
}
