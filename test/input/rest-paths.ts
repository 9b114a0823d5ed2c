/** Paths that lead nowhere, and methods that a path does not take. */
import { items, type RestCase, refused, repairs } from './rest-case.js';

export const restPaths: readonly RestCase[] = [
  ...methods(repairs, 'GET, POST, HEAD, OPTIONS', ['PUT', 'PATCH', 'DELETE']),
  ...methods(`${repairs}/$repair`, 'GET, PATCH, DELETE, HEAD, OPTIONS', ['POST', 'PUT']),
  ...methods(`${repairs}/$repair/submit`, 'POST, OPTIONS', ['GET', 'PATCH', 'DELETE']),
  ...methods('/api/accounts/subscription-settings', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'DELETE']),
  ...methods('/api/accounts/subscription-settings/subscription-settings_default', 'PATCH, OPTIONS', ['GET', 'DELETE']),
  ...paths('route_not_found', {
    'a slash at the end': `${repairs}/`,
    'a slash at the end of a record': `${repairs}/$repair/`,
    'two slashes': '/api/assets//asset-repair',
    'two slashes at the beginning': `/${repairs}`,
    'capitals in the base': '/API/assets/asset-repair',
    'capitals in the type': '/api/assets/Asset-Repair',
    'another area': '/api/stock/asset-repair',
    'the area alone': '/api/assets',
    'nothing behind /api': '/api',
    'a way up and down again': '/api/stock/../assets/asset-repair',
    'an encoded letter in the type': '/api/assets/asset%2drepair',
    'a slash that is encoded in the base': '/api/assets%2fasset-repair',
    'a parameter behind a semicolon': `${repairs};v=1`,
    backslashes: '/api\\assets\\asset-repair',
    'an unknown action': `${repairs}/$repair/approve`,
    'the action __proto__': `${repairs}/$repair/__proto__`,
    'a segment too many': `${repairs}/$repair/submit/now`,
    'the area __proto__': '/api/__proto__/constructor',
    'the type constructor': '/api/assets/constructor',
    'the target of a proxy, with a port that is none': 'http://gateway:99999/api/assets/nothing',
  }),
  ...paths('resource_missing', {
    'an id that no record has': `${repairs}/asset-repair_0`,
    'the id of another type': `${repairs}/$item`,
    'the id with a space behind it': `${repairs}/$repair%20`,
    'U+0000 as id': `${repairs}/%00`,
    'U+0000 behind the id': `${repairs}/$repair%00`,
    'a byte that is no UTF-8 as id': `${repairs}/%ff`,
    'half a surrogate pair as id': `${repairs}/%ed%a0%80`,
    'a percent sign that encodes nothing': `${repairs}/100%`,
    'a way up as id': `${repairs}/..`,
    'an encoded way up as id': `${repairs}/%2e%2e`,
    'a way up that goes on, encoded': `${repairs}/..%2f..%2fstock`,
    'an action encoded into the id': `${repairs}/$repair%2fsubmit`,
    'an SQL comment as id': `${repairs}/'%20OR%201=1%20--`,
    'the placeholder of the document as id': `${repairs}/{id}`,
    '__proto__ as id': `${repairs}/__proto__`,
    'constructor as id': `${repairs}/constructor`,
    'an id of 8,000 letters': `${repairs}/${'x'.repeat(8000)}`,
    'an emoji as id': `${repairs}/%F0%9F%98%80`,
    'reorder as the id of a line': `${items}/reorder`,
  }),
];

function methods(path: string, allow: string, refusedMethods: string[]): RestCase[] {
  return refusedMethods.map((method) => ({
    what: `${method} ${path}`,
    method,
    path,
    allow,
    ...refused(405, 'method_not_allowed'),
  }));
}

function paths(code: string, targets: Record<string, string>): RestCase[] {
  return Object.entries(targets).map(([what, path]) => ({ what, method: 'GET', path, ...refused(404, code) }));
}
