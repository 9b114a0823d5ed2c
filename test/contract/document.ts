/**
 * Sections 2, 3 and 4 of the document as data, with which the gateway is compared. Written from the document, not from
 * the Prisma schema; `fields` is in the document's own notation (2.1.2), so that both can be compared side by side.
 * Decisions where the document is silent are in `decided.ts`.
 */

export type DocumentedOperation =
  | 'retrieve'
  | 'list'
  | 'create'
  | 'update'
  | 'delete'
  | 'submit'
  | 'cancel'
  | 'reorder';

export interface DocumentedResource {
  /** The clause that lists its fields. */
  clause: string;
  title: string;
  slug: string;
  area: string;
  kind: 'resource' | 'singleton' | 'child';
  /** `<base>` of 4.3 to 4.5: the path of the collection, or of the singleton. */
  base: string;
  /** The operations printed in 4.1 to 4.5; decided ones are not here. */
  operations: readonly DocumentedOperation[];
  /** Title of the parent (4.5). The two children with `parent_id` and `parent_type` have none. */
  parent?: string;
  /** `name:type R [default]`, separated by semicolons, in the order of the document. `documentedFields` reads it. */
  fields: string;
}

/** 4.1: a top-level resource has these, unless 4.3 says otherwise. */
const standard = ['retrieve', 'list', 'create', 'update', 'delete'] as const;

/** 4.2 and 4.5. */
const childOperations = ['list', 'create', 'update', 'delete', 'reorder'] as const;

/** Section 3: the resources that carry `status` with the default `draft`. */
export const documentLike = [
  'Signing Document',
  'Transaction Deletion Record',
  'Asset Repair',
  'Subcontracting Order',
  'Subcontracting Inward Order',
  'Serial And Batch Bundle',
  'BOM Creator',
  'Job Card',
  'Timesheet',
  'Quotation',
];

export const documentedResources: readonly DocumentedResource[] = [
  {
    clause: '2.2',
    title: 'Signing Document',
    slug: 'signing-document',
    area: 'signing',
    kind: 'resource',
    base: '/api/signing/signing-document',
    operations: [...standard, 'submit', 'cancel'],
    fields: `
      status:string [draft]; document_type [document]; template_type; template_id; source [document]; title R;
      company; external_id; signing_status [pending]; completed_at; signing_order [parallel];
      allow_dictate_next_signer:boolean [false]; typed_signature_enabled:boolean [true];
      draw_signature_enabled:boolean [true]; upload_signature_enabled:boolean [true]; distribution_method [email];
      email_subject; email_message; redirect_url; timezone [Etc/UTC]; date_format [yyyy-MM-dd hh:mm a]; language [en];
      expires_at; reminder_settings; auth_options; form_values; visibility [everyone]; public_title;
      public_description; reference_doctype; reference_name; party_type; party_name
    `,
  },
  {
    clause: '2.2',
    title: 'Signing Signature',
    slug: 'signing-signature',
    area: 'signing',
    kind: 'resource',
    base: '/api/signing/signing-signature',
    operations: standard,
    fields: `
      signing_field_id R; signing_recipient_id R; signature_type R; signature_image; typed_value; value
    `,
  },
  {
    clause: '2.3',
    title: 'Process Statement Of Accounts',
    slug: 'process-statement-of-accounts',
    area: 'accounts',
    kind: 'resource',
    base: '/api/accounts/process-statement-of-accounts',
    operations: standard,
    fields: `
      frequency; company R; from_date; to_date; customer_collection; collection_name; account; finance_book;
      orientation; start_date; currency; include_ageing:boolean [false]; ageing_based_on [Due Date];
      enable_auto_email:boolean [false]; primary_mandatory:boolean [true]; filter_duration:integer [1]; subject; body;
      letter_head; terms_and_conditions; include_break:boolean [true];
      show_net_values_in_party_account:boolean [false]; sender; report R; posting_date; payment_terms_template;
      sales_partner; sales_person; territory; based_on_payment_terms:boolean [false]; pdf_name;
      ignore_exchange_rate_revaluation_journals:boolean [false]; ignore_cr_dr_notes:boolean [false];
      show_remarks:boolean [false]; categorize_by [Categorize by Voucher (Consolidated)];
      show_future_payments:boolean [false]; print_format
    `,
  },
  {
    clause: '2.3',
    title: 'Process Statement Of Accounts CC',
    slug: 'process-statement-of-accounts-c-c',
    area: 'accounts',
    kind: 'child',
    base: '/api/accounts/process-statement-of-accounts-c-c',
    operations: childOperations,
    parent: 'Process Statement Of Accounts',
    fields: `
      idx:integer; process_statement_of_accounts_id R; cc
    `,
  },
  {
    clause: '2.3',
    title: 'Process Statement Of Accounts Customer',
    slug: 'process-statement-of-accounts-customer',
    area: 'accounts',
    kind: 'child',
    base: '/api/accounts/process-statement-of-accounts-customer',
    operations: ['list', 'create', 'update'],
    parent: 'Process Statement Of Accounts',
    fields: `
      idx:integer; process_statement_of_accounts_id R; customer R; primary_email; billing_email; customer_name
    `,
  },
  {
    clause: '2.3',
    title: 'Financial Report Template',
    slug: 'financial-report-template',
    area: 'accounts',
    kind: 'resource',
    base: '/api/accounts/financial-report-template',
    operations: standard,
    fields: `
      template_name R; report_type R; module; disabled:boolean [false]
    `,
  },
  {
    clause: '2.3',
    title: 'Financial Report Row',
    slug: 'financial-report-row',
    area: 'accounts',
    kind: 'child',
    base: '/api/accounts/financial-report-row',
    operations: childOperations,
    parent: 'Financial Report Template',
    fields: `
      idx:integer; financial_report_template_id R; reference_code; display_name; indentation_level:integer;
      data_source; balance_type; bold_text:boolean; italic_text:boolean; hidden_calculation:boolean;
      hide_when_empty:boolean; reverse_sign:boolean; calculation_formula; include_in_charts:boolean; color; fieldtype;
      advanced_filtering:boolean
    `,
  },
  {
    clause: '2.3',
    title: 'Sales Invoice Payment',
    slug: 'sales-invoice-payment',
    area: 'accounts',
    kind: 'child',
    base: '/api/accounts/sales-invoice-payment',
    operations: childOperations,
    fields: `
      idx:integer; parent_id R; parent_type R; mode_of_payment R; amount:number [0]; account; type;
      base_amount:number; clearance_date; default:boolean [false]; reference_no
    `,
  },
  {
    clause: '2.3',
    title: 'Tax Withholding Group',
    slug: 'tax-withholding-group',
    area: 'accounts',
    kind: 'resource',
    base: '/api/accounts/tax-withholding-group',
    operations: standard,
    fields: `
      group_name R
    `,
  },
  {
    clause: '2.3',
    title: 'Bank Reconciliation Tool',
    slug: 'bank-reconciliation-tool',
    area: 'accounts',
    kind: 'resource',
    base: '/api/accounts/bank-reconciliation-tool',
    operations: standard,
    fields: `
      company; bank_account; bank_statement_from_date; bank_statement_to_date; account_opening_balance:number;
      bank_statement_closing_balance:number; from_reference_date; to_reference_date;
      filter_by_reference_date:boolean [false]; account_currency
    `,
  },
  {
    clause: '2.3',
    title: 'Currency Exchange Settings',
    slug: 'currency-exchange-settings',
    area: 'accounts',
    kind: 'singleton',
    base: '/api/accounts/currency-exchange-settings',
    operations: ['retrieve', 'update'],
    fields: `
      api_endpoint R; url; service_provider R; disabled:boolean [false]; access_key; use_http:boolean [false]
    `,
  },
  {
    clause: '2.3',
    title: 'Currency Exchange Settings Details',
    slug: 'currency-exchange-settings-details',
    area: 'accounts',
    kind: 'child',
    base: '/api/accounts/currency-exchange-settings-details',
    operations: childOperations,
    parent: 'Currency Exchange Settings',
    fields: `
      idx:integer; currency_exchange_settings_id R; key R; value R
    `,
  },
  {
    clause: '2.3',
    title: 'Currency Exchange Settings Result',
    slug: 'currency-exchange-settings-result',
    area: 'accounts',
    kind: 'child',
    base: '/api/accounts/currency-exchange-settings-result',
    operations: childOperations,
    parent: 'Currency Exchange Settings',
    fields: `
      idx:integer; currency_exchange_settings_id R; key R
    `,
  },
  {
    clause: '2.3',
    title: 'Subscription Settings',
    slug: 'subscription-settings',
    area: 'accounts',
    kind: 'singleton',
    base: '/api/accounts/subscription-settings',
    operations: ['retrieve', 'update'],
    fields: `
      grace_period:integer [1]; cancel_after_grace:boolean [false]; prorate:boolean [true]
    `,
  },
  {
    clause: '2.4',
    title: 'Transaction Deletion Record',
    slug: 'transaction-deletion-record',
    area: 'setup',
    kind: 'resource',
    base: '/api/setup/transaction-deletion-record',
    operations: [...standard, 'submit', 'cancel'],
    fields: `
      status [draft]; company R; delete_bin_data_status [Pending]; delete_leads_and_addresses_status [Pending];
      reset_company_default_values_status [Pending]; clear_notifications_status [Pending];
      initialize_doctypes_table_status [Pending]; delete_transactions_status [Pending]; error_log;
      process_in_single_transaction:boolean [false]
    `,
  },
  {
    clause: '2.4',
    title: 'Transaction Deletion Record Details',
    slug: 'transaction-deletion-record-details',
    area: 'setup',
    kind: 'child',
    base: '/api/setup/transaction-deletion-record-details',
    operations: childOperations,
    parent: 'Transaction Deletion Record',
    fields: `
      idx:integer; transaction_deletion_record_id R; doctype_name R; docfield_name; no_of_docs:integer; done:boolean
    `,
  },
  {
    clause: '2.4',
    title: 'Transaction Deletion Record Item',
    slug: 'transaction-deletion-record-item',
    area: 'setup',
    kind: 'child',
    base: '/api/setup/transaction-deletion-record-item',
    operations: childOperations,
    parent: 'Transaction Deletion Record',
    fields: `
      idx:integer; transaction_deletion_record_id R; doctype_name R
    `,
  },
  {
    clause: '2.4',
    title: 'Transaction Deletion Record To Delete',
    slug: 'transaction-deletion-record-to-delete',
    area: 'setup',
    kind: 'child',
    base: '/api/setup/transaction-deletion-record-to-delete',
    operations: childOperations,
    parent: 'Transaction Deletion Record',
    fields: `
      idx:integer; transaction_deletion_record_id R; doctype_name; company_field; document_count:integer;
      child_doctypes; deleted:boolean
    `,
  },
  {
    clause: '2.5',
    title: 'Asset Repair',
    slug: 'asset-repair',
    area: 'assets',
    kind: 'resource',
    base: '/api/assets/asset-repair',
    operations: [...standard, 'submit', 'cancel'],
    fields: `
      status [draft]; failure_date R; completion_date; repair_status [Pending]; description; actions_performed;
      downtime; repair_cost:number [0]; asset R; asset_name; capitalize_repair_cost:boolean [false]; cost_center;
      project; total_repair_cost:number; increase_in_asset_life:integer; company; consumed_items_cost:number
    `,
  },
  {
    clause: '2.5',
    title: 'Asset Repair Consumed Item',
    slug: 'asset-repair-consumed-item',
    area: 'assets',
    kind: 'child',
    base: '/api/assets/asset-repair-consumed-item',
    operations: childOperations,
    parent: 'Asset Repair',
    fields: `
      idx:integer; asset_repair_id R; valuation_rate:number; consumed_quantity:string; total_value:number; serial_no;
      item_code R; serial_and_batch_bundle; warehouse R
    `,
  },
  {
    clause: '2.5',
    title: 'Asset Repair Purchase Invoice',
    slug: 'asset-repair-purchase-invoice',
    area: 'assets',
    kind: 'child',
    base: '/api/assets/asset-repair-purchase-invoice',
    operations: childOperations,
    parent: 'Asset Repair',
    fields: `
      idx:integer; asset_repair_id R; purchase_invoice; expense_account R; repair_cost:number R
    `,
  },
  {
    clause: '2.6',
    title: 'Subcontracting Order',
    slug: 'subcontracting-order',
    area: 'subcontracting',
    kind: 'resource',
    base: '/api/subcontracting/subcontracting-order',
    operations: [...standard, 'submit'],
    fields: `
      status [draft]; title [{supplier_name}]; purchase_order R; supplier R; supplier_name R; supplier_warehouse R;
      company R; transaction_date R; schedule_date; supplier_address; address_display; contact_person;
      contact_display; contact_mobile; contact_email; shipping_address; shipping_address_display; billing_address;
      billing_address_display; set_warehouse; total_qty:number; total:number; set_reserve_warehouse;
      total_additional_costs:number; per_received:number; select_print_heading; letter_head;
      distribute_additional_costs_based_on [Qty]; cost_center; project; supplier_currency;
      reserve_stock:boolean [false]; production_plan
    `,
  },
  {
    clause: '2.6',
    title: 'Subcontracting Inward Order',
    slug: 'subcontracting-inward-order',
    area: 'subcontracting',
    kind: 'resource',
    base: '/api/subcontracting/subcontracting-inward-order',
    operations: [...standard, 'submit', 'cancel'],
    fields: `
      status [draft]; title [{customer_name}]; sales_order; customer; customer_name; company; transaction_date;
      per_delivered:number; per_produced:number; per_process_loss:number; set_delivery_warehouse; customer_warehouse;
      per_returned:number; per_raw_material_returned:number; per_raw_material_received:number; currency
    `,
  },
  {
    clause: '2.6',
    title: 'Subcontracting Inward Order Item',
    slug: 'subcontracting-inward-order-item',
    area: 'subcontracting',
    kind: 'child',
    base: '/api/subcontracting/subcontracting-inward-order-item',
    operations: childOperations,
    parent: 'Subcontracting Inward Order',
    fields: `
      idx:integer; subcontracting_inward_order_id; item_code; item_name; qty:number; stock_uom;
      conversion_factor:number; bom; include_exploded_items:boolean; delivered_qty:number; returned_qty:number;
      sales_order_item; subcontracting_conversion_factor:number; produced_qty:number; process_loss_qty:number;
      delivery_warehouse
    `,
  },
  {
    clause: '2.6',
    title: 'Subcontracting Inward Order Received Item',
    slug: 'subcontracting-inward-order-received-item',
    area: 'subcontracting',
    kind: 'child',
    base: '/api/subcontracting/subcontracting-inward-order-received-item',
    operations: childOperations,
    parent: 'Subcontracting Inward Order',
    fields: `
      idx:integer; subcontracting_inward_order_id; main_item_code; rm_item_code; stock_uom; bom_detail_no;
      reference_name; required_qty:number; received_qty:number; consumed_qty:number; returned_qty:number;
      work_order_qty:number; is_customer_provided_item:boolean; warehouse; billed_qty:number;
      is_additional_item:boolean; rate:number
    `,
  },
  {
    clause: '2.6',
    title: 'Subcontracting Inward Order Secondary Item',
    slug: 'subcontracting-inward-order-secondary-item',
    area: 'subcontracting',
    kind: 'child',
    base: '/api/subcontracting/subcontracting-inward-order-secondary-item',
    operations: childOperations,
    parent: 'Subcontracting Inward Order',
    fields: `
      idx:integer; subcontracting_inward_order_id; item_code; stock_uom; reference_name; produced_qty:number;
      delivered_qty:number; fg_item_code; warehouse; type
    `,
  },
  {
    clause: '2.6',
    title: 'Subcontracting Inward Order Service Item',
    slug: 'subcontracting-inward-order-service-item',
    area: 'subcontracting',
    kind: 'child',
    base: '/api/subcontracting/subcontracting-inward-order-service-item',
    operations: childOperations,
    parent: 'Subcontracting Inward Order',
    fields: `
      idx:integer; subcontracting_inward_order_id; item_code; item_name; qty:number; rate:number; amount:number;
      fg_item; fg_item_qty:number; sales_order_item; uom
    `,
  },
  {
    clause: '2.7',
    title: 'Serial And Batch Bundle',
    slug: 'serial-and-batch-bundle',
    area: 'stock',
    kind: 'resource',
    base: '/api/stock/serial-and-batch-bundle',
    operations: [...standard, 'submit', 'cancel'],
    fields: `
      status [draft]; company R; item_group; has_serial_no:boolean [false]; item_code R; item_name;
      has_batch_no:boolean [false]; voucher_type R; voucher_no; is_cancelled:boolean [false]; avg_rate:number;
      total_amount:number; total_qty:number; warehouse; type_of_transaction R; is_rejected:boolean [false];
      voucher_detail_no; returned_against; is_packed:boolean [false]; posting_datetime
    `,
  },
  {
    clause: '2.7',
    title: 'Serial No',
    slug: 'serial-no',
    area: 'stock',
    kind: 'resource',
    base: '/api/stock/serial-no',
    operations: standard,
    fields: `
      serial_no R; item_code R; item_name; description; item_group; brand; asset; asset_status; location; employee;
      maintenance_status; warranty_period:integer; warranty_expiry_date; amc_expiry_date; company R; work_order;
      warehouse; batch_no; purchase_rate:number; status; customer; reference_doctype; reference_name; posting_date
    `,
  },
  {
    clause: '2.7',
    title: 'Customs Tariff Number',
    slug: 'customs-tariff-number',
    area: 'stock',
    kind: 'resource',
    base: '/api/stock/customs-tariff-number',
    operations: standard,
    fields: `
      tariff_number R; description
    `,
  },
  {
    clause: '2.7',
    title: 'UOM Category',
    slug: 'u-o-m-category',
    area: 'stock',
    kind: 'resource',
    base: '/api/stock/u-o-m-category',
    operations: standard,
    fields: `
      category_name R
    `,
  },
  {
    clause: '2.8',
    title: 'BOM Creator',
    slug: 'b-o-m-creator',
    area: 'manufacturing',
    kind: 'resource',
    base: '/api/manufacturing/b-o-m-creator',
    operations: [...standard, 'submit', 'cancel'],
    fields: `
      status [draft]; company R; rm_cost_as_per [Valuation Rate]; buying_price_list; price_list_currency;
      plc_conversion_rate:number; currency R; conversion_rate:number [1]; raw_material_cost:number; remarks; project;
      item_code R; qty:number R; item_name; uom; item_group; default_warehouse;
      set_rate_based_on_warehouse:boolean [false]; error_log; routing
    `,
  },
  {
    clause: '2.8',
    title: 'Job Card',
    slug: 'job-card',
    area: 'manufacturing',
    kind: 'resource',
    base: '/api/manufacturing/job-card',
    operations: [...standard, 'submit', 'cancel'],
    fields: `
      status [draft]; work_order; bom_no; workstation; operation; posting_date; company; for_quantity:number;
      wip_warehouse; total_completed_qty:number; total_time_in_mins:number; operation_id; transferred_qty:number;
      requested_qty:number; project; remarks; production_item; barcode; item_name; operation_row_number:string;
      sequence_id:number; quality_inspection; hour_rate:number; is_corrective_job_card:boolean; for_job_card;
      for_operation; serial_no; batch_no; quality_inspection_template; workstation_type; expected_start_date;
      expected_end_date; serial_and_batch_bundle; process_loss_qty:number; time_required:number; actual_start_date;
      actual_end_date; finished_good; target_warehouse; operation_row_id:number; source_warehouse; semi_fg_bom;
      is_subcontracted:boolean; manufactured_qty:number; skip_material_transfer:boolean;
      backflush_from_wip_warehouse:boolean; is_paused:boolean; track_semi_finished_goods:boolean
    `,
  },
  {
    clause: '2.8',
    title: 'Job Card Time Log',
    slug: 'job-card-time-log',
    area: 'manufacturing',
    kind: 'child',
    base: '/api/manufacturing/job-card-time-log',
    operations: childOperations,
    fields: `
      idx:integer; parent_id R; parent_type R; from_time; to_time; time_in_mins:number; completed_qty:number [0];
      employee; operation
    `,
  },
  {
    clause: '2.9',
    title: 'Timesheet',
    slug: 'timesheet',
    area: 'projects',
    kind: 'resource',
    base: '/api/projects/timesheet',
    operations: [...standard, 'submit', 'cancel'],
    fields: `
      status [draft]; title [{employee_name}]; company; sales_invoice; employee; employee_name; department; user;
      start_date; end_date; total_hours:number; total_billable_hours:number; total_billed_hours:number;
      total_costing_amount:number; total_billable_amount:number; total_billed_amount:number; per_billed:number; note;
      parent_project; customer; currency; base_total_costing_amount:number; base_total_billable_amount:number;
      base_total_billed_amount:number; exchange_rate:number
    `,
  },
  {
    clause: '2.9',
    title: 'Timesheet Detail',
    slug: 'timesheet-detail',
    area: 'projects',
    kind: 'child',
    base: '/api/projects/timesheet-detail',
    operations: childOperations,
    parent: 'Timesheet',
    fields: `
      idx:integer; timesheet_id; activity_type; from_time; expected_hours:number; hours:number; to_time;
      completed:boolean; project; task; billing_hours:number; billing_rate:number; billing_amount:number;
      costing_rate:number; costing_amount:number; sales_invoice; is_billable:boolean; project_name; description;
      base_billing_rate:number; base_billing_amount:number; base_costing_rate:number; base_costing_amount:number
    `,
  },
  {
    clause: '2.10',
    title: 'Industry Type',
    slug: 'industry-type',
    area: 'crm',
    kind: 'resource',
    base: '/api/crm/industry-type',
    operations: standard,
    fields: `
      industry R
    `,
  },
  {
    clause: '2.10',
    title: 'Quotation',
    slug: 'quotation',
    area: 'crm',
    kind: 'resource',
    base: '/api/crm/quotation',
    operations: ['retrieve', 'list', 'create'],
    fields: `
      status [draft]; quotation_to [Customer]; party_name; customer_name; company R; transaction_date R; valid_till;
      order_type [Sales]; customer_address; address_display; contact_person; contact_display; contact_mobile;
      contact_email; shipping_address_name; shipping_address; customer_group; territory; currency R;
      conversion_rate:number R; selling_price_list R; price_list_currency R; plc_conversion_rate:number R;
      ignore_pricing_rule:boolean [false]; total_qty:number; base_total:number; base_net_total:number; total:number;
      net_total:number; total_net_weight:number; tax_category; shipping_rule; taxes_and_charges;
      other_charges_calculation; base_total_taxes_and_charges:number; total_taxes_and_charges:number; coupon_code;
      referral_sales_partner; apply_discount_on [Grand Total]; base_discount_amount:number;
      additional_discount_percentage:number; discount_amount:number; base_grand_total:number;
      base_rounding_adjustment:number; base_in_words; base_rounded_total:number; grand_total:number;
      rounding_adjustment:number; rounded_total:number; in_words; payment_terms_template; tc_name; terms; letter_head;
      group_same_items:boolean [false]; select_print_heading; language; auto_repeat; order_lost_reason; enq_det;
      supplier_quotation; opportunity; company_address; company_address_display; scan_barcode; incoterm; named_place;
      utm_campaign; utm_source; utm_medium; utm_content; disable_rounded_total:boolean [false];
      company_contact_person; has_unit_price_items:boolean [false]; title
    `,
  },
];
