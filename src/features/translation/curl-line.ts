import { type Call, keyPlace } from './call.js';
import { shellWords, type TranslationProblem } from './shell-words.js';

const sendsForm = 'It sends a form or a file; the body of a request is JSON: use -d.';

/** `[1-3]` and `{a,b}`. A single word in braces is the place for an id, as the reference writes it. */
const severalAddresses = /[[\]]|\{[^{},]*,/;
const asksSeveral =
  'Its address has [ ] or { }, of which curl makes several requests; add -g if they are meant as they are.';

/** The fewest characters of a key. */
const shortestKey = 16;

const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** An origin without a user and a password, which may hold an `@` too. */
const withoutUser = (origin: string): string =>
  origin.includes('@') ? origin.slice(0, origin.indexOf('//') + 2) + origin.slice(origin.lastIndexOf('@') + 1) : origin;

/** What the options of a line of curl say of its request, one after the other. */
class CurlRequest {
  #problem: string | undefined;
  #url: string | undefined;
  #method: string | undefined;
  #isHead = false;
  #inQuery = false;
  #isJson = false;
  #isForm = false;
  #isLiteral = false;
  #key: string | undefined;
  readonly #headers: Record<string, string> = {};
  readonly #data: string[] = [];
  readonly #query: string[] = [];

  object(problem: string): void {
    this.#problem ??= problem;
  }

  url(url: string): void {
    if (this.#url !== undefined) this.object('It names two addresses; paste one request.');
    this.#url = url;
  }

  method(method: string): void {
    if (!/^[a-z]{1,10}$/i.test(method)) this.object('Its method is not an HTTP method.');
    this.#method = method.toUpperCase();
  }

  head(): void {
    this.#isHead = true;
  }

  /** Brackets in the address are meant as they are. */
  literal(): void {
    this.#isLiteral = true;
  }

  dataInQuery(): void {
    this.#inQuery = true;
  }

  key(key: string): void {
    this.#key = key.trim();
  }

  header(text: string): void {
    const [, name = '', value = ''] = /^([^:;]+):(.*)$/s.exec(text) ?? [];
    if (text.startsWith('@')) return this.object('It reads headers from a file; put them into the line.');
    if (name.trim().toLowerCase() === 'authorization') this.key(value.replace(/^\s*(bearer|basic)\s+/i, ''));
    else if (name !== '') this.#headers[name.trim().toLowerCase()] = value.trim();
  }

  data(text: string, mayBeFile: boolean, isJson = false): void {
    if (mayBeFile && text.startsWith('@'))
      return this.object('It reads its body from a file (@…); put the content into the line.');
    this.#isJson ||= isJson;
    this.#data.push(text);
  }

  /** Data that curl encodes: `name=content`, `content` or `=content`. */
  encodedData(text: string): void {
    this.#isForm = true;
    const data = this.#encoded(text);
    if (data !== undefined) this.#data.push(data);
  }

  /** A part of the query that curl encodes, unless a `+` says that it is encoded already. */
  inQuery(text: string): void {
    const part = text.startsWith('+') ? text.slice(1) : this.#encoded(text);
    if (part !== undefined) this.#query.push(part);
  }

  #encoded(text: string): string | undefined {
    const [, name = '', mark, content = ''] = /^([^=@]*)([=@])(.*)$/s.exec(text) ?? ['', '', '=', text];
    if (mark === '@') return void this.object('It reads from a file (@…); put the content into the line.');
    return name === '' ? encodeURIComponent(content) : `${name}=${encodeURIComponent(content)}`;
  }

  call(): Call | TranslationProblem {
    if (this.#isForm && !this.#inQuery) this.object(sendsForm);
    if (this.#problem !== undefined) return { problem: this.#problem };
    if (!this.#url) return { problem: 'It names no address.' };
    const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(this.#url)
      ? this.#url
      : this.#url.startsWith('/')
        ? this.#url
        : `http://${this.#url}`;
    const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)?([^#]*)/i.exec(whole) ?? [];
    if (origin === '' && !rest.startsWith('/')) return { problem: 'Its address is not of HTTP.' };
    if (!this.#isLiteral && severalAddresses.test(rest)) return { problem: asksSeveral };
    const data = this.#data.length === 0 ? undefined : this.#data.join(this.#isJson ? '' : '&');
    const [below = ''] = /^(?:\/[^/?]+)*?(?=\/(?:api|graphql)(?:[/?]|$))/.exec(rest) ?? [];
    const path = rest.startsWith('/') ? rest.slice(below.length) : `/${rest}`;
    const body = this.#inQuery ? undefined : data;
    const usual = this.#isHead ? 'HEAD' : body === undefined ? 'GET' : 'POST';
    return this.#withoutKey({
      method: this.#method ?? usual,
      origin: withoutUser(origin) + (origin && below),
      path: withQuery(path, [...this.#query, ...(this.#inQuery && data !== undefined ? [data] : [])].join('&')),
      headers: this.#headers,
      body,
    });
  }

  #withoutKey(call: Call): Call {
    const key = this.#key;
    // What is shorter is no key but a word that stands for one: taken out of the body, it would make another request of it.
    if (!key || key.length < shortestKey) return call;
    const hidden = (text: string) => text.replaceAll(key, keyPlace).replaceAll(encodeURIComponent(key), keyPlace);
    return {
      method: hidden(call.method),
      origin: hidden(call.origin),
      path: hidden(call.path),
      headers: Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [hidden(name), hidden(value)])),
      body: call.body === undefined ? undefined : hidden(call.body),
    };
  }
}

/** The longest line that is read. */
const longest = 1_000_000;

/** The request that a pasted line of curl makes. Neither the call nor a problem holds the key of the line. */
export function readCurl(text: string): Call | TranslationProblem {
  if (text.length > longest) return { problem: 'The line is longer than a megabyte.' };
  const words = shellWords(text);
  if ('problem' in words) return words;
  const [program = '', ...rest] = words[0] === '$' ? words.slice(1) : words;
  if (!/^(.*[\\/])?curl(\.exe)?$/.test(program)) return { problem: 'It does not begin with curl.' };
  const line = new CurlRequest();
  let at = 0;
  const next = () => rest[at++];
  let onlyWords = false;
  for (let word = next(); word !== undefined; word = next()) {
    if (word === '--' && !onlyWords) onlyWords = true;
    else if (onlyWords || word === '-' || !word.startsWith('-')) line.url(word);
    else if (word.startsWith('--')) option(line, word, next);
    else short(line, word.slice(1), next);
  }
  return line.call();
}

type Next = () => string | undefined;

function option(line: CurlRequest, word: string, next: Next): void {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const effect = options[name];
  if (effect) effect(line, (equals < 0 ? next() : word.slice(equals + 1)) ?? '');
  else if (flags[name]) flags[name](line);
  else if (!quietFlags.has(name))
    line.object(`The option ${/^--[a-z0-9-]{1,40}$/.test(name) ? name : '--…'} is not known here; leave it out.`);
}

/** Short options may stand together, `-sSX`, and their value may follow at once, `-XPOST`. */
function short(line: CurlRequest, letters: string, next: Next): void {
  for (let at = 0; at < letters.length; at++) {
    const name = `-${letters.charAt(at)}`;
    const effect = options[name];
    if (effect) return effect(line, at + 1 < letters.length ? letters.slice(at + 1) : (next() ?? ''));
    if (flags[name]) flags[name](line);
    else if (!quietFlags.has(name))
      return line.object(`The option ${/^-[a-zA-Z0-9#:]$/.test(name) ? name : '-…'} is not known here; leave it out.`);
  }
}

/** The options of curl that have to do with the request, and those that have not. */

/** What an option does with its value. */
type Effect = (line: CurlRequest, value: string) => void;

const named = (names: readonly string[], effect: Effect): Record<string, Effect> =>
  Object.fromEntries(names.map((name) => [name, effect]));

const ignore: Effect = () => undefined;

/** Options with a value. */
const options: Record<string, Effect | undefined> = {
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
const flags: Record<string, ((line: CurlRequest) => void) | undefined> = {
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
const quietFlags: ReadonlySet<string> = new Set([
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
