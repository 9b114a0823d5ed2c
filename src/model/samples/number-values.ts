/** The numbers of fields, by their names: the first pattern that fits decides. */
import type { Chance } from './chance.js';
import { rounded, type Story } from './story.js';

type Amount = (story: Story, chance: Chance) => number;

const worth = ({ item, quantity }: Story): number => rounded(item.price * quantity);
const hours = ({ days }: Story): number => Math.min(days, 8) / 2 + 0.5;
const hourly = 48;

/** `reconcile` then sets the totals, and the `base…` fields, which are amounts in the currency of the company. */
const patterns: readonly (readonly [RegExp, Amount])[] = [
  [/^(conversionRate|exchangeRate|plcConversionRate)$/, ({ rate }) => rate],
  [/[cC]onversionFactor$/, () => 1],
  [/^billingRate$|^hourRate$/, () => hourly * 1.5],
  [/^costingRate$/, () => hourly],
  [/Percentage$|^per[A-Z]/, (_, { pick }) => pick([0, 2.5, 5, 10, 25, 50, 100])],
  [/[rR]ate$|^price/, ({ item }) => item.price],
  [/(^(expected|billing|total|totalBillable))?[hH]ours$/, hours],
  [/Mins$|^timeRequired$/, (story) => hours(story) * 60],
  [/(lossQty|LossQty|returnedQty|processLoss)/, () => 0],
  [/([qQ]ty|[qQ]uantity)$/, ({ quantity }) => quantity],
  [/[wW]eight$/, ({ quantity }) => rounded(quantity * 1.8)],
  [/(djustment|iscountAmount)$/, () => 0],
  [/^sequenceId$|RowId$/, (_, { upTo }) => 1 + upTo(4)],
  [/(amount|total|cost|value|balance)/i, worth],
  [/^warrantyPeriod$/, () => 365],
  [/^increaseInAssetLife$/, (_, { pick }) => pick([6, 12, 24])],
  [/^indentationLevel$/, (_, { upTo }) => upTo(3)],
];

const known = new Map<string, Amount | undefined>();

/** Undefined if nothing is known of a field of this name. */
export function numberOf(name: string): Amount | undefined {
  if (!known.has(name)) known.set(name, patterns.find(([pattern]) => pattern.test(name))?.[1]);
  return known.get(name);
}
