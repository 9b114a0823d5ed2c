import { expect } from 'vitest';
import type { ClauseTests } from './clause.js';
import { expectRequired } from './expectations.js';
import { create, documented } from './records.js';

/** Sections 2.2 to 2.4: clauses about single resources, written again from the text of the document. */
export const signingAccountsSetup: ClauseTests = (clause) => {
  clause('S2.2-01', async (gateway) => {
    await expectRequired(gateway, 'Signing Document', ['title']);
    expect(await create(gateway, documented('Signing Document'))).toMatchObject({
      status: 'draft',
      signing_status: 'pending',
      allow_dictate_next_signer: false,
      typed_signature_enabled: true,
      draw_signature_enabled: true,
      upload_signature_enabled: true,
      timezone: 'Etc/UTC',
      date_format: 'yyyy-MM-dd hh:mm a',
      language: 'en',
    });
  });

  clause('S2.2-02', async (gateway) => {
    await expectRequired(gateway, 'Signing Signature', ['signing_field_id', 'signing_recipient_id', 'signature_type']);
    const empty = { signature_image: null, typed_value: null, value: null };
    expect(await create(gateway, documented('Signing Signature'))).toMatchObject(empty);
  });

  clause('S2.3-01', async (gateway) => {
    await expectRequired(gateway, 'Process Statement Of Accounts', ['company', 'report']);
    const record = await create(gateway, documented('Process Statement Of Accounts'));
    const switches = Object.entries(record).filter(([, value]) => typeof value === 'boolean');
    expect(switches).toHaveLength(10);
    expect(switches.filter(([, value]) => value).map(([name]) => name)).toEqual(['primary_mandatory', 'include_break']);
    expect(record).toMatchObject({
      ageing_based_on: 'Due Date',
      filter_duration: 1,
      categorize_by: 'Categorize by Voucher (Consolidated)',
    });
  });

  clause('S2.3-02', async (gateway) => {
    await expectRequired(gateway, 'Process Statement Of Accounts CC', ['process_statement_of_accounts_id']);
    const required = ['process_statement_of_accounts_id', 'customer'];
    await expectRequired(gateway, 'Process Statement Of Accounts Customer', required);
  });

  clause('S2.3-03', async (gateway) => {
    await expectRequired(gateway, 'Financial Report Row', ['financial_report_template_id']);
    const {
      id: _,
      idx: __,
      financial_report_template_id: ___,
      ...rest
    } = await create(gateway, documented('Financial Report Row'));
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  clause('S2.3-04', async (gateway) => {
    const payment = documented('Sales Invoice Payment');
    const parent = { parent_id: 'ACC-SINV-2026-00017', parent_type: 'Sales Invoice' };
    expect(await create(gateway, payment, parent)).toMatchObject({ ...parent, amount: 0, default: false });
    expect((await create(gateway, payment, { ...parent, default: true })).default).toBe(true);
    const one = `{ salesInvoicePayments(parentId: "${parent.parent_id}") { nodes { default } } }`;
    expect((await gateway.graphql(one)).body.data.salesInvoicePayments.nodes).toEqual([
      { default: false },
      { default: true },
    ]);
  });

  clause('S2.3-05', async (gateway) => {
    const group = documented('Tax Withholding Group');
    const [first, second] = [await create(gateway, group), await create(gateway, group)];
    expect(first.group_name).toBe(second.group_name);
    expect(first.id).not.toBe(second.id);
  });

  clause('S2.3-06', async (gateway) => {
    await expectRequired(gateway, 'Bank Reconciliation Tool', []);
    const record = await create(gateway, documented('Bank Reconciliation Tool'));
    expect(record).toMatchObject({ company: null, account_opening_balance: null, filter_by_reference_date: false });
  });

  clause('S2.3-07', async ({ rest }) => {
    const base = '/api/accounts/currency-exchange-settings';
    const path = `${base}/currency-exchange-settings_default`;
    expect((await rest('GET', base)).body).toMatchObject({
      api_endpoint: null,
      service_provider: null,
      disabled: false,
      use_http: false,
    });
    const set = { api_endpoint: 'https://rates.example', service_provider: 'Custom' };
    expect((await rest('PATCH', path, set)).body).toMatchObject(set);
    const refused = await rest('PATCH', path, { api_endpoint: null, service_provider: null, url: 'x' });
    expect(refused.status).toBe(400);
    expect(refused.body.error.errors).toMatchObject([
      { param: 'api_endpoint', code: 'parameter_invalid' },
      { param: 'service_provider', code: 'parameter_invalid' },
    ]);
    expect((await rest('GET', base)).body).toMatchObject({ ...set, url: null });
  });

  clause('S2.3-08', async (gateway) => {
    const reference = 'currency_exchange_settings_id';
    await expectRequired(gateway, 'Currency Exchange Settings Details', [reference, 'key', 'value']);
    await expectRequired(gateway, 'Currency Exchange Settings Result', [reference, 'key']);
  });

  clause('S2.3-09', async ({ rest }) => {
    const settings = { grace_period: 1, cancel_after_grace: false, prorate: true };
    expect((await rest('GET', '/api/accounts/subscription-settings')).body).toMatchObject(settings);
  });

  clause('S2.4-01', async (gateway) => {
    await expectRequired(gateway, 'Transaction Deletion Record', ['company']);
    const record = await create(gateway, documented('Transaction Deletion Record'));
    const steps = Object.entries(record).filter(([name]) => name.endsWith('_status'));
    expect(steps).toHaveLength(6);
    for (const [name, value] of steps) expect(value, name).toBe('Pending');
    expect(record).toMatchObject({ status: 'draft', process_in_single_transaction: false });
  });

  clause('S2.4-02', async (gateway) => {
    const reference = 'transaction_deletion_record_id';
    await expectRequired(gateway, 'Transaction Deletion Record Details', [reference, 'doctype_name']);
    await expectRequired(gateway, 'Transaction Deletion Record Item', [reference, 'doctype_name']);
    await expectRequired(gateway, 'Transaction Deletion Record To Delete', [reference]);
  });
};
