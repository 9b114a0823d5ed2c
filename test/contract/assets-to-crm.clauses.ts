import { expect } from 'vitest';
import type { ClauseTests } from './clause.js';
import { documentedResources } from './document.js';
import { expectNoChildren, expectRequired } from './expectations.js';
import { create, documented } from './records.js';

/** Sections 2.5 to 2.10: clauses about single resources, written again from the text of the document. */
export const assetsToCrm: ClauseTests = (clause) => {
  clause('S2.5-01', async (gateway) => {
    await expectRequired(gateway, 'Asset Repair', ['failure_date', 'asset']);
    const repair = documented('Asset Repair');
    const { id } = await create(gateway, repair, { consumed_items_cost: 10 });
    const invoice = { asset_repair_id: id, expense_account: 'Repairs', repair_cost: 90 };
    expect((await gateway.rest('POST', '/api/assets/asset-repair-purchase-invoice', invoice)).status).toBe(201);
    expect((await gateway.rest('GET', `${repair.base}/${id}`)).body).toMatchObject({
      repair_cost: 0,
      total_repair_cost: null,
      consumed_items_cost: 10,
    });
  });

  clause('S2.5-02', async (gateway) => {
    const item = documented('Asset Repair Consumed Item');
    await expectRequired(gateway, item.title, ['asset_repair_id', 'item_code', 'warehouse']);
    const { id, consumed_quantity } = await create(gateway, item, { consumed_quantity: '02.50' });
    expect(consumed_quantity).toBe('02.50');
    expect((await gateway.rest('PATCH', `${item.base}/${id}`, { consumed_quantity: 2.5 })).status).toBe(400);
  });

  clause('S2.5-03', async (gateway) => {
    const invoice = documented('Asset Repair Purchase Invoice');
    await expectRequired(gateway, invoice.title, ['asset_repair_id', 'expense_account', 'repair_cost']);
    expect((await create(gateway, invoice, { repair_cost: 0 })).repair_cost).toBe(0);
  });

  clause('S2.6-01', async (gateway) => {
    await expectRequired(gateway, 'Subcontracting Order', [
      'purchase_order',
      'supplier',
      'supplier_name',
      'supplier_warehouse',
      'company',
      'transaction_date',
    ]);
    const order = documented('Subcontracting Order');
    const values = { supplier_name: 'Weber & Sons', title: '{supplier_name}' };
    expect(await create(gateway, order, { supplier_name: values.supplier_name })).toMatchObject(values);
    expect((await create(gateway, order, { title: 'Castings' })).title).toBe('Castings');
  });

  clause('S2.6-02', (gateway) => expectNoChildren(gateway, 'Subcontracting Order'));

  clause('S2.6-03', async (gateway) => {
    const supplied = {
      sales_order: 'SAL-ORD-2026-00003',
      customer: 'CUST-7',
      customer_name: 'Weber & Sons',
      company: 'Acme',
      transaction_date: '2026-11-05',
      customer_warehouse: 'Customer stock',
    };
    expect(await create(gateway, documented('Subcontracting Inward Order'), supplied)).toMatchObject(supplied);
  });

  clause('S2.6-04', async (gateway) => {
    await expectRequired(gateway, 'Subcontracting Inward Order', []);
    const record = await create(gateway, documented('Subcontracting Inward Order'));
    expect(record).toMatchObject({ status: 'draft', title: '{customer_name}' });
    const numbers = Object.entries(record).filter(([name]) => name.startsWith('per_'));
    expect(numbers).toHaveLength(6);
    for (const [name, value] of numbers) expect(value, name).toBeNull();
  });

  clause('S2.6-05', async (gateway) => {
    const children = documentedResources.filter(({ parent }) => parent === 'Subcontracting Inward Order');
    expect(children).toHaveLength(4);
    for (const { title } of children) await expectRequired(gateway, title, ['subcontracting_inward_order_id']);
  });

  clause('S2.7-01', async (gateway) => {
    const bundle = documented('Serial And Batch Bundle');
    await expectRequired(gateway, bundle.title, ['company', 'item_code', 'voucher_type', 'type_of_transaction']);
    const switches = Object.entries(await create(gateway, bundle)).filter(([, value]) => typeof value === 'boolean');
    expect(Object.fromEntries(switches)).toEqual({
      has_serial_no: false,
      has_batch_no: false,
      is_cancelled: false,
      is_rejected: false,
      is_packed: false,
    });
  });

  clause('S2.7-02', async (gateway) => {
    await expectRequired(gateway, 'Serial No', ['serial_no', 'item_code', 'company']);
    expect((await create(gateway, documented('Serial No'))).status).toBeNull();
  });

  clause('S2.7-03', async (gateway) => {
    const serial = documented('Serial No');
    const numbers = { serial_no: 'SN-0001' };
    const [first, second] = [await create(gateway, serial, numbers), await create(gateway, serial, numbers)];
    expect([first.serial_no, second.serial_no]).toEqual(['SN-0001', 'SN-0001']);
    expect(first.id).not.toBe(second.id);
  });

  clause('S2.7-04', async (gateway) => {
    await expectRequired(gateway, 'UOM Category', ['category_name']);
    const { status, body } = await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'Mass' });
    expect([status, body.id.slice(0, 15)]).toEqual([201, 'u-o-m-category_']);
    expect((await gateway.rest('GET', `/api/stock/u-o-m-category/${body.id}`)).body).toEqual(body);
  });

  clause('S2.8-01', async (gateway) => {
    await expectRequired(gateway, 'BOM Creator', ['company', 'currency', 'item_code', 'qty']);
    const body = { company: 'Acme', currency: 'EUR', item_code: 'FRAME', qty: 2 };
    const answer = await gateway.rest('POST', '/api/manufacturing/b-o-m-creator', body);
    expect(answer.body.id).toMatch(/^b-o-m-creator_/);
    const defaults = { rm_cost_as_per: 'Valuation Rate', conversion_rate: 1, set_rate_based_on_warehouse: false };
    expect(answer.body).toMatchObject({ ...body, ...defaults, plc_conversion_rate: null });
  });

  clause('S2.8-02', async (gateway) => {
    const supplied = { work_order: 'WO-1', workstation: 'Press 2', operation: 'Bending', company: 'Acme' };
    expect(await create(gateway, documented('Job Card'), supplied)).toMatchObject({ ...supplied, status: 'draft' });
  });

  clause('S2.8-03', async (gateway) => {
    await expectRequired(gateway, 'Job Card', []);
    const { id: _, created_at: __, updated_at: ___, ...card } = await create(gateway, documented('Job Card'));
    expect(Object.fromEntries(Object.entries(card).filter(([, value]) => value !== null))).toEqual({
      status: 'draft',
      total_completed_qty: 0,
      transferred_qty: 0,
      requested_qty: 0,
      is_corrective_job_card: false,
      is_subcontracted: false,
      skip_material_transfer: false,
      backflush_from_wip_warehouse: false,
      is_paused: false,
      track_semi_finished_goods: false,
    });
  });

  clause('S2.8-04', async (gateway) => {
    const types = { operation_row_number: '10', sequence_id: 1.5, operation_row_id: 2.5 };
    expect(await create(gateway, documented('Job Card'), types)).toMatchObject(types);
    const refused = await gateway.rest('POST', '/api/manufacturing/job-card', { operation_row_number: 10 });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'operation_row_number']);
  });

  clause('S2.8-05', async (gateway) => {
    await expectRequired(gateway, 'Job Card Time Log', ['parent_id', 'parent_type']);
    const log = await create(gateway, documented('Job Card Time Log'));
    expect(log).toMatchObject({ completed_qty: 0, time_in_mins: null, from_time: null });
  });

  clause('S2.8-06', async (gateway) => {
    const { rest, graphql } = gateway;
    const card = await create(gateway, documented('Job Card'));
    const log = documented('Job Card Time Log');
    const mine = await create(gateway, log, { parent_type: 'Job Card' }, card.id);
    const other = await create(gateway, log, { parent_type: 'Job Card' }, 'job-card_elsewhere');
    const query = `query ($id: ID!) { jobCard(id: $id) { timeLogs { id jobCard { id } } } }`;
    const shown = (await graphql(query, { id: card.id })).body.data.jobCard.timeLogs;
    expect(shown).toEqual([{ id: mine.id, jobCard: { id: card.id } }]);
    await rest('DELETE', `/api/manufacturing/job-card/${card.id}`);
    expect((await rest('GET', `${log.base}/${mine.id}`)).status).toBe(404);
    expect((await rest('GET', `${log.base}/${other.id}`)).status).toBe(200);
  });

  clause('S2.9-01', async (gateway) => {
    await expectRequired(gateway, 'Timesheet', []);
    const { id: _, created_at: __, updated_at: ___, ...sheet } = await create(gateway, documented('Timesheet'));
    expect(Object.fromEntries(Object.entries(sheet).filter(([, value]) => value !== null))).toEqual({
      status: 'draft',
      title: '{employee_name}',
      total_hours: 0,
      total_billable_amount: 0,
      exchange_rate: 1,
    });
  });

  clause('S2.9-02', async (gateway) => {
    await expectRequired(gateway, 'Timesheet Detail', ['timesheet_id']);
    const { id: _, idx: __, timesheet_id: ___, ...rest } = await create(gateway, documented('Timesheet Detail'));
    expect(Object.keys(rest)).toHaveLength(21);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  clause('S2.10-01', async (gateway) => {
    await expectRequired(gateway, 'Industry Type', ['industry']);
    expect((await create(gateway, documented('Industry Type'), { industry: 'Mining' })).industry).toBe('Mining');
  });

  clause('S2.10-02', async (gateway) => {
    await expectRequired(gateway, 'Quotation', [
      'company',
      'transaction_date',
      'currency',
      'conversion_rate',
      'selling_price_list',
      'price_list_currency',
      'plc_conversion_rate',
    ]);
    const quotation = await create(gateway, documented('Quotation'), { conversion_rate: 1.1, plc_conversion_rate: 1 });
    expect(quotation).toMatchObject({
      title: null,
      quotation_to: 'Customer',
      conversion_rate: 1.1,
      plc_conversion_rate: 1,
    });
  });

  clause('S2.10-03', (gateway) => expectNoChildren(gateway, 'Quotation'));
};
