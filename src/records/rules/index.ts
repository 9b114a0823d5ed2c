import type { RecordModel } from '../../catalogue.js';
import type { Problem } from '../../errors.js';
import type { Values } from '../delegate.js';
import { currencyExchangeSettings } from './currency-exchange-settings.js';

/** What holds for one record type only. Each rule is a function in a file of its own, named after the type. */
export interface Rules {
  /** Looks at the input of an update before anything is written; what it returns is refused. */
  beforeUpdate?(input: Values): Problem[];
}

export const rules: Partial<Record<RecordModel, Rules>> = {
  CurrencyExchangeSettings: currencyExchangeSettings,
};
