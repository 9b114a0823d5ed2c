/** Each parent with the field of each of its child collections, as architecture names them (document 2.3 to 2.9). */
export const childLists: [parent: string, field: string, child: string][] = [
  ['Process Statement Of Accounts', 'ccs', 'Process Statement Of Accounts CC'],
  ['Process Statement Of Accounts', 'customers', 'Process Statement Of Accounts Customer'],
  ['Financial Report Template', 'rows', 'Financial Report Row'],
  ['Currency Exchange Settings', 'details', 'Currency Exchange Settings Details'],
  ['Currency Exchange Settings', 'results', 'Currency Exchange Settings Result'],
  ['Transaction Deletion Record', 'details', 'Transaction Deletion Record Details'],
  ['Transaction Deletion Record', 'items', 'Transaction Deletion Record Item'],
  ['Transaction Deletion Record', 'toDelete', 'Transaction Deletion Record To Delete'],
  ['Asset Repair', 'consumedItems', 'Asset Repair Consumed Item'],
  ['Asset Repair', 'purchaseInvoices', 'Asset Repair Purchase Invoice'],
  ['Subcontracting Inward Order', 'items', 'Subcontracting Inward Order Item'],
  ['Subcontracting Inward Order', 'receivedItems', 'Subcontracting Inward Order Received Item'],
  ['Subcontracting Inward Order', 'secondaryItems', 'Subcontracting Inward Order Secondary Item'],
  ['Subcontracting Inward Order', 'serviceItems', 'Subcontracting Inward Order Service Item'],
  ['Job Card', 'timeLogs', 'Job Card Time Log'],
  ['Timesheet', 'details', 'Timesheet Detail'],
];
