/** Invalid queries of lists, invalid reorders, and impossible state changes. */
import { items, type RestCase, refused, repairs } from './rest-case.js';

export const restLists: readonly RestCase[] = [
  ...pages('limit', ['limit=0', 'limit=-1', 'limit=1001', 'limit=99999999999999999999', 'limit=ten', 'limit=']),
  ...pages('limit', ['limit=5.0', 'limit=1e2', 'limit=0x10', 'limit=%2B5', 'limit=%205', 'limit=%D9%A5', 'limit=%00']),
  ...pages('limit', ['limit=5&limit=5', 'limit=%ff', 'limit=null', 'limit=0&offset=-1']),
  ...pages('offset', ['offset=-1', 'offset=2147483648', 'offset=ten', 'offset=', 'offset=1.5', 'offset=0&offset=0']),
  ...lines({
    'a list without its parent': ['', 'parameter_missing', 'parent_id'],
    'a list of an empty parent': ['?parent_id=', 'parameter_missing', 'parent_id'],
    'a list of two parents': ['?parent_id=a&parent_id=b', 'parameter_invalid', 'parent_id'],
    'a list of a parent with U+0000': ['?parent_id=%00', 'parameter_invalid', 'parent_id'],
    'a list with a wrong limit and no parent': ['?limit=0', 'parameter_invalid', 'limit'],
  }),
  ...reorders({
    'a reorder of nothing': ['', 'parameter_missing', 'parent_id'],
    'a reorder of an unknown parent': ['{"parent_id": "asset-repair_0", "ids": []}', 'resource_missing', 'parent_id'],
    'a reorder of a parent of another type': ['{"parent_id": "$item", "ids": []}', 'resource_missing', 'parent_id'],
    'a reorder with a number for the parent': ['{"parent_id": 5, "ids": []}', 'parameter_invalid', 'parent_id'],
    'a reorder with a list for the parent': ['{"parent_id": ["$repair"]}', 'parameter_invalid', 'parent_id'],
    'a reorder of an empty parent': ['{"parent_id": "", "ids": []}', 'parameter_invalid', 'parent_id'],
    'a reorder with U+0000 in the parent': ['{"parent_id": "\\u0000"}', 'parameter_invalid', 'parent_id'],
    'a reorder with an unknown name': ['{"parent_id": "$repair", "id": ["$item"]}', 'parameter_unknown', 'id'],
    'a reorder with one id for a list': ['{"parent_id": "$repair", "ids": "$item"}', 'parameter_invalid', 'ids'],
    'a reorder with an object for a list': ['{"parent_id": "$repair", "ids": {}}', 'parameter_invalid', 'ids'],
    'a reorder with a number among the ids': ['{"parent_id": "$repair", "ids": [5]}', 'parameter_invalid', 'ids[0]'],
    'a reorder with null among the ids': ['{"parent_id": "$repair", "ids": [null]}', 'parameter_invalid', 'ids[0]'],
    'a reorder that leaves lines out': ['{"parent_id": "$repair", "ids": ["$item"]}', 'reorder_mismatch', 'ids'],
    'a reorder of no line': ['{"parent_id": "$repair", "ids": []}', 'reorder_mismatch', 'ids'],
    'a reorder that names a line twice': [
      '{"parent_id": "$repair", "ids": ["$item", "$otherItem", "$item"]}',
      'reorder_mismatch',
      'ids',
    ],
    'a reorder that names a stranger': [
      '{"parent_id": "$repair", "ids": ["$item", "$otherItem", "__proto__"]}',
      'reorder_mismatch',
      'ids',
    ],
  }),
  {
    what: 'a reorder of two parents',
    method: 'POST',
    path: `${items}/reorder?parent_id=$repair&parent_id=$repair`,
    ...refused(400, 'parameter_invalid', 'parent_id'),
  },
  {
    what: 'a reorder of a parent longer than an index takes',
    method: 'POST',
    path: '/api/accounts/sales-invoice-payment/reorder',
    body: `{"parent_id": "${'x'.repeat(256)}"}`,
    ...refused(400, 'parameter_invalid', 'parent_id'),
  },
  ...moves({
    'a cancel of a draft': ['POST', '/cancel'],
    'a draft cancelled by an update': ['PATCH', '', '{"status": "cancelled"}'],
    'another change together with a state that cannot be': [
      'PATCH',
      '',
      '{"status": "cancelled", "description": "No"}',
    ],
  }),
];

type Sent = [sent: string, code: string, param: string];

function pages(param: string, queries: string[]): RestCase[] {
  return queries.map((query) => ({
    what: `a list with ?${query}`,
    method: 'GET',
    path: `${repairs}?${query}`,
    ...refused(400, 'parameter_invalid', param),
  }));
}

function lines(cases: Record<string, Sent>): RestCase[] {
  return Object.entries(cases).map(([what, [query, code, param]]) => ({
    what,
    method: 'GET',
    path: items + query,
    ...refused(400, code, param),
  }));
}

function reorders(cases: Record<string, Sent>): RestCase[] {
  return Object.entries(cases).map(([what, [body, code, param]]) => ({
    what,
    method: 'POST',
    path: `${items}/reorder`,
    body,
    ...refused(400, code, param),
  }));
}

function moves(cases: Record<string, [method: string, action: string, body?: string]>): RestCase[] {
  return Object.entries(cases).map(([what, [method, action, body]]) => ({
    what,
    method,
    path: `${repairs}/$repair${action}`,
    body,
    ...refused(409, 'invalid_state'),
  }));
}
