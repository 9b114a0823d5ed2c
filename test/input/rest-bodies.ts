/** Bodies that REST cannot parse as an object, and errors that apply to a whole body. */
import { type RestCase, refused, repairs } from './rest-case.js';

type Body = string | Buffer;

/** `ECHO` must not be in the answer, because an unreadable body may contain secrets. */
export const restBodies: readonly RestCase[] = [
  ...creates(refused(400, 'json_invalid'), {
    'a body that breaks off': '{"asset": "ECHO", "failure_date": ',
    'a body that never closes 40,000 lists': `{"asset": ${'['.repeat(40_000)}`,
    'a comma too many': '{"asset": "ECHO", "failure_date": "2026-01-31",}',
    'single quotes': "{'asset': 'ECHO'}",
    'a comment': '{"asset": "ECHO" /* why */, "failure_date": "2026-01-31"}',
    'names without quotes': '{asset: "ECHO"}',
    'a number that is none': '{"asset": "ECHO", "failure_date": "2026-01-31", "repair_cost": NaN}',
    'Infinity for a number': '{"asset": "ECHO", "failure_date": "2026-01-31", "repair_cost": Infinity}',
    'a hexadecimal number': '{"asset": "ECHO", "failure_date": "2026-01-31", "repair_cost": 0x10}',
    'a number with leading zeros': '{"asset": "ECHO", "failure_date": "2026-01-31", "repair_cost": 007}',
    'two bodies in one': '{"asset": "ECHO", "failure_date": "2026-01-31"}{}',
    'a form for a body': 'asset=ECHO&failure_date=2026-01-31',
    'nothing but spaces': '   ',
    'a control character that is not escaped': '{"asset": "ECHO\u0000", "failure_date": "2026-01-31"}',
    'a wrong escape': '{"asset": "ECHO\\x41", "failure_date": "2026-01-31"}',
    'a byte that is no UTF-8': withAsset([0xff]),
    'an overlong U+0000': withAsset([0xc0, 0x80]),
    'half a surrogate pair in bytes': withAsset([0xed, 0xa0, 0x80]),
    'a character that breaks off': withAsset([0xf0, 0x9f, 0x98]),
    'UTF-16': Buffer.from('{"asset": "ECHO", "failure_date": "2026-01-31"}', 'utf16le'),
    'a list': '[]',
    'a list of one body': '[{"asset": "ECHO", "failure_date": "2026-01-31"}]',
    '40,000 nested lists': '['.repeat(40_000) + ']'.repeat(40_000),
    '40,000 nested lists in a field': `{"asset": ${'['.repeat(40_000)}${']'.repeat(40_000)}, "failure_date": "2026-01-31"}`,
    'null for a body': 'null',
    'a text for a body': '"ECHO"',
    'a number for a body': '1e999',
    'a boolean for a body': 'true',
  }),
  ...creates(refused(400, 'parameter_missing', 'failure_date'), { 'an empty body': '', 'an empty object': '{}' }),
  ...creates(refused(400, 'parameter_unknown', 'consumed_items'), {
    'lines, which REST creates by themselves': '{"asset": "A", "failure_date": "2026-01-31", "consumed_items": [{}]}',
  }),
  ...creates(refused(400, 'parameter_unknown', 'failureDate'), {
    'the names of the other surface': '{"asset": "A", "failureDate": "2026-01-31"}',
  }),
  ...creates(refused(413, 'body_too_large'), {
    'a body of more than 1 MB': largeBody(),
    'spaces of more than 1 MB': ' '.repeat(2 * 1024 * 1024),
  }),
  {
    what: 'a body of more than 1 MB that does not announce its length',
    method: 'POST',
    path: repairs,
    body: largeBody(),
    headers: { 'transfer-encoding': 'chunked' },
    ...refused(413, 'body_too_large'),
  },
  ...announcedAs({
    'no type that is known': { 'content-type': 'x' },
    'plain text': { 'content-type': 'text/plain' },
    'a form': { 'content-type': 'application/x-www-form-urlencoded' },
    'a multipart form': { 'content-type': 'multipart/form-data; boundary=x' },
    'JSON in Latin-1': { 'content-type': 'application/json; charset=iso-8859-1' },
    'JSON in UTF-16': { 'content-type': 'application/json; charset=utf-16' },
    'a type that begins like JSON': { 'content-type': 'application/jsonp' },
    'a patch of another kind': { 'content-type': 'application/json-patch+json' },
    'compressed JSON': { 'content-encoding': 'gzip' },
  }),
];

function creates(refusal: ReturnType<typeof refused>, bodies: Record<string, Body>): RestCase[] {
  return Object.entries(bodies).map(([what, body]) => ({ what, method: 'POST', path: repairs, body, ...refusal }));
}

function announcedAs(types: Record<string, Record<string, string>>): RestCase[] {
  return Object.entries(types).map(([what, headers]) => ({
    what: `a body announced as ${what}`,
    method: 'POST',
    path: repairs,
    body: '{"asset": "A", "failure_date": "2026-01-31"}',
    headers,
    ...refused(415, 'content_type_unsupported'),
  }));
}

function withAsset(bytes: number[]): Buffer {
  const [start, end] = ['{"failure_date": "2026-01-31", "asset": "ECHO', '"}'];
  return Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from(end)]);
}

function largeBody(): string {
  return `{"asset": "A", "failure_date": "2026-01-31", "description": "${'x'.repeat(1024 * 1024)}"}`;
}
