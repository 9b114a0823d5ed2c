import type { RecordModel } from '../../catalogue.js';
import type { Problem } from '../../errors.js';
import type { Resource } from '../../model/resource.js';
import type { Values } from '../delegate.js';
import { currencyExchangeSettings } from './currency-exchange-settings.js';
import type { Rules } from './rules.js';

const rules: Partial<Record<RecordModel, Rules>> = {
  CurrencyExchangeSettings: currencyExchangeSettings,
};

/** What the rules of the record type have against the input of an update. */
export function updateProblems({ model }: Resource, input: Values): Problem[] {
  return rules[model]?.beforeUpdate?.(input) ?? [];
}
