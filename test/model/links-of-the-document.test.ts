/**
 * The names of the document show which texts are links: each field that is named after a type stored here is a link to
 * it.
 */
import { expect, test } from 'vitest';
import { documentedResources } from '../contract/document.js';
import { documentedFields, parentReference } from '../contract/documented-fields.js';
import { resources } from '../support/resources.js';

/** Fields that are named after a type stored here, but do not name its records. */
const others: Record<string, string> = {
  'Serial No.serial_no': 'its own number, by which others name it',
  'Quotation.quotation_to': 'the kind of party that it goes to, such as `Customer`',
  'Quotation.supplier_quotation': 'a quotation of a supplier, who is not held here; ours go to customers',
};

/**
 * Links that the name of the field does not show; `reference_name` is one because of its place among the lines of an
 * order.
 */
const toldOtherwise = [
  'Signing Document.template_id → Signing Document',
  'Subcontracting Inward Order Received Item.reference_name → Subcontracting Inward Order Item',
  'Subcontracting Inward Order Secondary Item.reference_name → Subcontracting Inward Order Item',
];

/** `_for_job_card_` contains `_job_card_`. */
const words = (text: string) => `_${text.toLowerCase().replaceAll(' ', '_')}_`;

/** A text of the document whose name contains the name of a type, with the longest such name. */
const named = documentedResources.flatMap((resource) =>
  documentedFields(resource).flatMap(({ name, type }) => {
    const [title] = documentedResources
      .map((each) => each.title)
      .filter((each) => words(name).includes(words(each)))
      .sort((one, other) => other.length - one.length);
    const isPlace = name === parentReference(resource);
    return title === undefined || type !== 'string' || isPlace ? [] : [{ place: `${resource.title}.${name}`, title }];
  }),
);

const links = resources.flatMap(({ title, fields, links }) =>
  links.map(({ text, resource }) => {
    const field = fields.find(({ name }) => name === text);
    return `${title}.${field?.restName} → ${resource.title}`;
  }),
);

test('every text that is named after a type held here is a link to it, or it is said why not', () => {
  const expected = named.filter(({ place }) => !(place in others)).map(({ place, title }) => `${place} → ${title}`);
  expect(expected.length).toBeGreaterThan(3);
  expect([...links].sort()).toEqual([...expected, ...toldOtherwise].sort());
});

test('what is no link though its name sounds like one is a text of the document', () => {
  expect(named.map(({ place }) => place)).toEqual(expect.arrayContaining(Object.keys(others)));
});
