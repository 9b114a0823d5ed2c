/** The records that are the targets of invalid input. */
import type { RecordModel } from '../../src/model/catalogue.js';
import { type Resource, singletonId } from '../../src/model/resource.js';
import type { TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';

export type Place = keyof typeof models;

const models = {
  repair: 'AssetRepair',
  item: 'AssetRepairConsumedItem',
  quotation: 'Quotation',
  template: 'FinancialReportTemplate',
  row: 'FinancialReportRow',
  payment: 'SalesInvoicePayment',
  settings: 'CurrencyExchangeSettings',
} as const satisfies Record<string, RecordModel>;

export interface Target {
  resource: Resource;
  /** The id of an existing record. */
  id: string;
  /** Members of a body with all required fields of a new record. */
  required: string;
}

export type Targets = Record<Place, Target>;

/** Makes one record of each. */
export async function makeTargets(gateway: TestGateway): Promise<Targets> {
  const make = async (place: Place, required: Record<string, unknown>): Promise<Target> => {
    const resource = resourceOf(models[place]);
    const { body } = await gateway.rest('POST', resource.base, required);
    return { resource, id: body.id, required: JSON.stringify(required).slice(1, -1) };
  };
  const repair = await make('repair', { failure_date: '2026-01-31', asset: 'PRESS-1' });
  const template = await make('template', { template_name: 'Profit', report_type: 'Balance Sheet' });
  const settings = resourceOf(models.settings);
  return {
    repair,
    template,
    item: await make('item', { asset_repair_id: repair.id, item_code: 'BOLT', warehouse: 'Main' }),
    quotation: await make('quotation', {
      company: 'ACME',
      transaction_date: '2026-01-31',
      currency: 'EUR',
      conversion_rate: 1,
      selling_price_list: 'Standard',
      price_list_currency: 'EUR',
      plc_conversion_rate: 1,
    }),
    row: await make('row', { financial_report_template_id: template.id }),
    payment: await make('payment', { parent_id: 'SINV-1', parent_type: 'Sales Invoice', mode_of_payment: 'Cash' }),
    settings: { resource: settings, id: singletonId(settings), required: '' },
  };
}
