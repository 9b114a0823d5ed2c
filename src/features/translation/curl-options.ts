/** The options of curl that have to do with the request, and those that have not. */
import { type CurlRequest, sendsForm } from './curl-request.js';

/** What an option does with its value. */
type Effect = (line: CurlRequest, value: string) => void;

const named = (names: readonly string[], effect: Effect): Record<string, Effect> =>
  Object.fromEntries(names.map((name) => [name, effect]));

const ignore: Effect = () => undefined;

/** Options with a value. */
export const options: Record<string, Effect | undefined> = {
  ...named(['-X', '--request'], (line, value) => line.method(value)),
  ...named(['-H', '--header'], (line, value) => line.header(value)),
  ...named(['-d', '--data', '--data-ascii', '--data-binary'], (line, value) => line.data(value, true)),
  '--data-raw': (line, value) => line.data(value, false),
  '--json': (line, value) => line.data(value, true, true),
  '--url': (line, value) => line.url(value),
  '--oauth2-bearer': (line, value) => line.key(value),
  ...named(['-u', '--user'], (line) =>
    line.object('It signs in with a user and a password; send a key: -H "Authorization: Bearer $API_KEY".'),
  ),
  '--data-urlencode': (line, value) => line.encodedData(value),
  '--url-query': (line, value) => line.inQuery(value),
  ...named(['-F', '--form', '--form-string', '-T', '--upload-file', '-K', '--config'], (line) =>
    line.object(sendsForm),
  ),
  ...named(
    [
      '-o',
      '--output',
      '-A',
      '--user-agent',
      '-m',
      '--max-time',
      '--connect-timeout',
      '-e',
      '--referer',
      '-b',
      '--cookie',
      '-c',
      '--cookie-jar',
      '-x',
      '--proxy',
      '-w',
      '--write-out',
      '--retry',
      '--retry-delay',
      '--retry-max-time',
      '--cacert',
      '--cert',
      '-E',
      '--resolve',
      '--max-redirs',
      '-D',
      '--dump-header',
      '--limit-rate',
      '--stderr',
    ],
    ignore,
  ),
};

/** Options without a value. */
export const flags: Record<string, ((line: CurlRequest) => void) | undefined> = {
  '-I': (line) => line.head(),
  '--head': (line) => line.head(),
  '-G': (line) => line.dataInQuery(),
  '--get': (line) => line.dataInQuery(),
  '-g': (line) => line.literal(),
  '--globoff': (line) => line.literal(),
  ...Object.fromEntries(
    ['--next', '-:'].map((name) => [name, (line: CurlRequest) => line.object('It makes several requests; paste one.')]),
  ),
};

/** Options without a value that do not change the request. */
export const quietFlags: ReadonlySet<string> = new Set([
  ...[
    '-s',
    '--silent',
    '-S',
    '--show-error',
    '-i',
    '--include',
    '-k',
    '--insecure',
    '-L',
    '--location',
    '-v',
    '--verbose',
  ],
  ...['-f', '--fail', '--fail-with-body', '--compressed', '-N', '--no-buffer', '-O', '--remote-name'],
  ...[
    '--http1.1',
    '--http2',
    '-0',
    '-1',
    '-2',
    '-4',
    '-6',
    '--ipv4',
    '--ipv6',
    '-#',
    '--progress-bar',
    '--no-progress-meter',
  ],
]);
