/** Quotations for aggregates. */
import type { TestGateway } from '../support/gateway.js';
import { ask } from './ask.js';

/** Creates quotations of these fields besides those every quotation needs; returns their ids. */
export async function createQuotations(gateway: Pick<TestGateway, 'graphql'>, records: object[]): Promise<string[]> {
  const required = { company: 'ACME', currency: 'EUR', priceListCurrency: 'EUR', sellingPriceList: 'Standard' };
  const inputs = records.map((record) => ({
    ...required,
    transactionDate: '2026-01-31',
    conversionRate: 1,
    plcConversionRate: 1,
    ...record,
  }));
  const query =
    'mutation ($inputs: [CreateQuotationInput!]!) { created: createManyQuotations(inputs: $inputs) { records { id } } }';
  const { created } = await ask(gateway, query, { inputs });
  return created.records.map(({ id }: { id: string }) => id);
}
