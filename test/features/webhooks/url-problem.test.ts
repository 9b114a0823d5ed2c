/** Which URLs a webhook may have. */
import { describe, expect, test } from 'vitest';
import { AddressRules, urlProblem } from '../../../src/gateway/outgoing/address-rules.js';

const open = new AddressRules([]);

test.each([
  'https://example.com/hook?token=x',
  'https://example.com:443/',
  'https://hooks.example.com:8443/',
  'https://93.184.215.14/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://bücher.example/',
])('%s is taken', (url) => {
  expect(urlProblem(url, open)).toBeUndefined();
});

describe.each([
  [
    'another scheme',
    ['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/', 'data:,x'],
  ],
  [
    'no URL',
    [
      '',
      'example.com',
      '//example.com',
      'https://',
      'https://exa mple.com/',
      `https://example.com/${'x'.repeat(2000)}`,
    ],
  ],
  ['a user or password', ['https://user@example.com/', 'https://:password@example.com/', 'https://a:b@example.com']],
  ['a fragment', ['https://example.com/#part']],
  ['the port of another service', ['https://example.com:22/', 'https://example.com:25/', 'https://example.com:80/']],
  ['loopback', ['https://127.0.0.1/', 'https://127.8.9.10/', 'https://[::1]/', 'https://[::]/', 'https://0.0.0.0/']],
  [
    'other spellings of loopback',
    [
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0x7f.1/',
      'https://0177.0.0.1/',
      'https://127.1/',
      'https://127.0.0.1./',
      'https://%31%32%37.0.0.1/',
      'https://①②⑦.⓪.⓪.①/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[0:0:0:0:0:ffff:127.0.0.1]/',
      'https://[::127.0.0.1]/',
    ],
  ],
  [
    'local names',
    [
      'https://localhost/',
      'https://LOCALHOST/',
      'https://localhost./',
      'https://a.localhost/',
      'https://metadata/',
      'https://metadata.google.internal/',
      'https://printer.local/',
      'https://nas.home.arpa/',
    ],
  ],
  [
    'private and special networks',
    [
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://172.31.255.255/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/',
      'https://100.100.100.200/',
      'https://192.0.0.192/',
      'https://198.18.0.1/',
      'https://224.0.0.1/',
      'https://255.255.255.255/',
      'https://240.0.0.1/',
      'https://[fe80::1]/',
      'https://[fd00:ec2::254]/',
      'https://[fec0::1]/',
      'https://[ff02::1]/',
      'https://[2001:db8::1]/',
    ],
  ],
  [
    'addresses that contain another',
    [
      'https://[::ffff:10.0.0.1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[64:ff9b:1::a00:1]/',
      'https://[2002:7f00:1::]/',
      'https://[2002:a9fe:a9fe::]/',
      'https://[2001:0:7f00:1::]/',
      'https://[::ffff:0:127.0.0.1]/',
    ],
  ],
])('%s', (_, urls) => {
  test.each(urls)('%s is refused', (url) => {
    expect(urlProblem(url, open)).toMatch(/^(must|names)/);
  });
});

describe('what WEBHOOK_ALLOW lists', () => {
  const rules = new AddressRules(['hooks.internal', '10.1.0.0/16', '127.0.0.1', 'fd00::/8']);

  test.each(['http://hooks.internal:9000/', 'https://10.1.2.3:22/', 'http://127.0.0.1/', 'http://[fd00::1]/'])(
    '%s is taken, with any port and without TLS',
    (url) => {
      expect(urlProblem(url, rules)).toBeUndefined();
    },
  );

  test.each([
    'https://other.internal/',
    'https://a.hooks.internal/',
    'https://10.2.0.1/',
    'https://127.0.0.2/',
    'http://example.com/',
    'ftp://hooks.internal/',
    'https://user@hooks.internal/',
  ])('%s is refused', (url) => {
    expect(urlProblem(url, rules)).toMatch(/^(must|names)/);
  });

  test('a name leads wherever it leads, a network to its own addresses only', () => {
    expect(rules.permits('hooks.internal', '192.168.1.1')).toBe(true);
    expect(rules.permits('example.com', '10.1.9.9')).toBe(true);
    expect(rules.permits('example.com', '10.2.9.9')).toBe(false);
  });
});
