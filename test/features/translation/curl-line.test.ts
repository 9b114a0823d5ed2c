/** curl commands as people paste them, and the requests that they send. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCurl } from '../../../src/features/translation/pure/curl-line.js';
import { shellWords } from '../../../src/features/translation/pure/shell-words.js';

const url = 'http://127.0.0.1:4000/api/crm/industry-type';
const call = (more: object) => ({
  method: 'GET',
  origin: 'http://127.0.0.1:4000',
  path: '/api/crm/industry-type',
  headers: {},
  body: undefined,
  ...more,
});

describe('a line', () => {
  test.each<[line: string, expected: object]>([
    [`curl ${url}`, {}],
    [`$ curl -s '${url}?limit=1&offset=2' | jq .data`, { path: '/api/crm/industry-type?limit=1&offset=2' }],
    [`curl -sSX DELETE "${url}/a"`, { method: 'DELETE', path: '/api/crm/industry-type/a' }],
    [
      `curl -XPATCH --data '{"industry": "O'\\''Neil"}' ${url}/a`,
      { method: 'PATCH', path: '/api/crm/industry-type/a', body: '{"industry": "O\'Neil"}' },
    ],
    [
      `curl ${url} \\\n  -H 'Content-Type: application/json' \\\r\n  -d '{"industry": "Steel"}'`,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"industry": "Steel"}' },
    ],
    [`curl ${url} --json '{"a":' --json '1}'`, { method: 'POST', body: '{"a":1}' }],
    [`curl ${url} -d a=1 -d b=2`, { method: 'POST', body: 'a=1&b=2' }],
    [`curl -G ${url} -d limit=1 -d offset=2`, { path: '/api/crm/industry-type?limit=1&offset=2' }],
    [
      `curl -G ${url} --data-urlencode 'as_of=2026-11-20T08:00:00+01:00' -d a=b --data-urlencode '=c d'`,
      { path: '/api/crm/industry-type?as_of=2026-11-20T08%3A00%3A00%2B01%3A00&a=b&c%20d' },
    ],
    [
      `curl '${url}?a=1' --url-query 'b=2 3' --url-query '+c=%34'`,
      { path: '/api/crm/industry-type?a=1&b=2%203&c=%34' },
    ],
    [
      `curl ${url} -H 'Authorization: Bearer key' -d '{"industry": "monkeys"}'`,
      { method: 'POST', body: '{"industry": "monkeys"}' },
    ],
    [`curl ${url}& curl x`, {}],
    [`curl ${url}/a 2>/dev/null -X DELETE`, { method: 'DELETE', path: '/api/crm/industry-type/a' }],
    [`curl >out.json ${url} 2>&1 -d a=1 >> log`, { method: 'POST', body: 'a=1' }],
    [`curl &> /dev/null ${url} -d 2`, { method: 'POST', body: '2' }],
    [`curl 'http://me:pa@ss@127.0.0.1:4000/api/crm/industry-type'`, {}],
    [`curl --data-raw '@x' ${url}`, { method: 'POST', body: '@x' }],
    [`curl -I ${url}`, { method: 'HEAD' }],
    [
      `curl --request=POST --url=${url}/a/submit --compressed -H"If-Match: \\"3\\""`,
      { method: 'POST', path: '/api/crm/industry-type/a/submit', headers: { 'if-match': '"3"' } },
    ],
    [
      `curl $'${url}' --data-raw $'{"industry":"O\\'Neil \\u0041\\n"}'`,
      { method: 'POST', body: '{"industry":"O\'Neil A\n"}' },
    ],
    [`curl "${url}" -d "{\\"a\\": \\"\\$5 \\\\\\\\ x\\"}"`, { method: 'POST', body: '{"a": "$5 \\\\ x"}' }],
    [
      `curl localhost:4000/api/changes -o out.json # the feed`,
      { origin: 'http://localhost:4000', path: '/api/changes' },
    ],
    [`curl 'http://user:secret@127.0.0.1:4000/api/crm/industry-type#x'`, {}],
    [`curl -- ${url}`, {}],
    [`curl -g '${url}?note=[1-3]'`, { path: '/api/crm/industry-type?note=[1-3]' }],
    [`curl '${url}/{id}'`, { path: '/api/crm/industry-type/{id}' }],
    // Below a path of a proxy.
    [
      'curl https://example.com/a/records-api/api/changes?limit=1',
      { origin: 'https://example.com/a/records-api', path: '/api/changes?limit=1' },
    ],
    [`curl '${url}/graphql'`, { path: '/api/crm/industry-type/graphql' }],
    [
      `curl example.com/p/graphql -d 1`,
      { method: 'POST', origin: 'http://example.com/p', path: '/graphql', body: '1' },
    ],
    [`curl /p/api/changes`, { origin: '', path: '/api/changes' }],
    [`curl /api/changes`, { origin: '', path: '/api/changes' }],
  ])('%s', (line, expected) => {
    expect(readCurl(line)).toEqual(call(expected));
  });

  test.each<[line: string, problem: RegExp]>([
    ['', /does not begin with curl/],
    ['wget http://x', /does not begin with curl/],
    ['curl', /names no address/],
    [`curl ${url} -d @body.json`, /from a file/],
    [`curl ${url} --json @-`, /from a file/],
    [`curl ${url} -d < body.json`, /from a file/],
    [`curl ${url} -H @headers`, /from a file/],
    [`curl ${url} -F a=b`, /form or a file/],
    [`curl ${url} --data-urlencode a=b`, /form or a file/],
    [`curl -G ${url} --data-urlencode a@b`, /from a file/],
    [`curl ${url} --next ${url}`, /several requests/],
    [`curl ${url}?limit=5&offset=10`, /& outside of quotes/],
    [`curl ^"${url}^" ^\n  -H ^"a: b^"`, /for bash/],
    [`curl ${url} --upload-file x`, /form or a file/],
    [`curl ${url} 'never closed`, /quote is not closed/],
    [`curl ${url} "never closed`, /quote is not closed/],
    [`curl ${url} -d "$(cat body)"`, /another command/],
    ['curl `pbpaste`', /another command/],
    [`curl ${url} ${url}`, /two addresses/],
    [`curl '${url}?limit=[1-3]'`, /several requests; add -g/],
    [`curl '${url}/{a,b}'`, /several requests; add -g/],
    [`curl ${url} --frobnicate x`, /--frobnicate is not known/],
    [`curl -sQ ${url}`, /-Q is not known/],
    ['curl ftp://x/y', /not of HTTP/],
    [`curl -u key: ${url}`, /with a user/],
  ])('that cannot be translated is refused with words: %s', (line, problem) => {
    expect(readCurl(line)).toEqual({ problem: expect.stringMatching(problem) });
  });

  const key = 'brg_0123456789ab_'.padEnd(69, 'k');
  test.each([
    [`curl -H 'Authorization: Bearer ${key}' ${url}`],
    [`curl -H 'authorization:bearer   ${key}' ${url}?key=${key}`],
    [`curl -H "Authorization: ${key}" -H 'X-Api-Key: ${key}' ${url} -d '{"note": "${key}"}'`],
    [`curl --oauth2-bearer ${key} ${url}/${key}`],
    [`curl ${url} -d '{"note": "${key}"}' -H 'Authorization: Bearer ${key}'`],
    [`curl -u ${key}: ${url}`],
    [`curl --${key} ${url}`],
    [`curl -H 'Authorization: Bearer ${key}' ${url} '${key}`],
    [`curl -H 'Authorization: Bearer ${key}' http://${key}@host/api/changes`],
    [`curl -H 'Authorization: Bearer ${key}' ${url} -X '${key}'`],
    [`curl -H 'Authorization: Bearer ${key}' ftp://${key}`],
  ])('never shows its key: %s', (line) => {
    const text = JSON.stringify(readCurl(line));
    expect(text).not.toContain(key);
    expect(text).not.toContain(key.toUpperCase());
  });

  test('takes time that grows with its length, however it is written', () => {
    const parts = ["'a'", '"\\\\', "$'\\x", '\\\n', '-d', '-H a', '"a"', '$', '{', '`', '%'];
    for (const part of parts) {
      /** Microseconds of processor time, which other programs on the machine disturb less; the least of five. */
      const time = (count: number) => {
        const text = `curl ${part.repeat(count)}`;
        const times = Array.from({ length: 5 }, () => {
          const { user: before } = process.cpuUsage();
          readCurl(text);
          return process.cpuUsage().user - before;
        });
        return Math.min(...times);
      };
      time(1000);
      const [short, long] = [time(20_000 / part.length), time(320_000 / part.length)];
      // Sixteen times the length: in quadratic time it would be 256 times as long.
      expect(long, part).toBeLessThan(Math.max(short, 1_000) * 100);
    }
  });
});

test('words are those of bash', () => {
  const char = fc.constantFrom('a', ' ', "'", '"', '\\', '$', 'é', '-', '=', '{', ':', '\t', 'n');
  fc.assert(
    fc.property(fc.array(char, { maxLength: 14 }), (chars) => {
      const text = `printf '%s\\0' x ${chars.join('')}`;
      const words = shellWords(text);
      // Variables stay as they are, and braces are expanded by bash.
      if (/\$[a-z$\-'"{]|\{/.test(text) || 'problem' in words) return;
      let shown: string;
      try {
        shown = execFileSync('bash', ['--norc', '-c', text], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      } catch {
        return;
      }
      expect(words.slice(2)).toEqual(shown.split('\0').slice(0, -1));
    }),
    { numRuns: 150 },
  );
});
