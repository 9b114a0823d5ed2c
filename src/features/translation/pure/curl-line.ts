import { shellWords, type TranslationProblem } from './shell-words.js';

/** A request as a line of curl says it, without its key. */
export interface Call {
  method: string;
  /** Where it goes to, with the path below which a proxy has the gateway; empty where the line names no host. */
  origin: string;
  /** With the query. */
  path: string;
  /** By their names in lower case; without the key. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/** What stands for the key of a line wherever it is shown. */
export const keyPlace = '$API_KEY';

const sendsForm = 'It sends a form or a file; the body of a request is JSON: use -d.';

/** `[1-3]` and `{a,b}`. A single word in braces is the place for an id, as the reference writes it. */
const severalAddresses = /[[\]]|\{[^{},]*,/;
const asksSeveral =
  'Its address has [ ] or { }, of which curl makes several requests; add -g if they are meant as they are.';

const shortestKey = 16;

/** An origin without a user and a password, which may hold an `@` too. */
const withoutUser = (origin: string): string =>
  origin.includes('@') ? origin.slice(0, origin.indexOf('//') + 2) + origin.slice(origin.lastIndexOf('@') + 1) : origin;

/** What the options of a line of curl say of its request, one after the other. */
class CurlRequest {
  problem: string | undefined;
  url: string | undefined;
  method: string | undefined;
  key: string | undefined;
  isHead = false;
  /** Whether the data belongs into the query. */
  isInQuery = false;
  isJson = false;
  isForm = false;
  /** Whether brackets in the address are meant as they are. */
  isLiteral = false;
  readonly headers: Record<string, string> = {};
  readonly data: string[] = [];
  readonly query: string[] = [];

  object(problem: string): void {
    this.problem ??= problem;
  }

  setUrl(url: string): void {
    if (this.url !== undefined) this.object('It names two addresses; paste one request.');
    this.url = url;
  }

  addHeader(text: string): void {
    const [, name = '', value = ''] = /^([^:;]+):(.*)$/s.exec(text) ?? [];
    if (text.startsWith('@')) return this.object('It reads headers from a file; put them into the line.');
    if (name.trim().toLowerCase() === 'authorization') this.key = value.replace(/^\s*(bearer|basic)\s+/i, '').trim();
    else if (name !== '') this.headers[name.trim().toLowerCase()] = value.trim();
  }

  addData(text: string): void {
    if (text.startsWith('@')) this.object('It reads its body from a file (@…); put the content into the line.');
    else this.data.push(text);
  }

  /** What curl encodes: `name=content`, `content` or `=content`. */
  encoded(text: string): string {
    const [, name = '', mark, content = ''] = /^([^=@]*)([=@])(.*)$/s.exec(text) ?? ['', '', '=', text];
    if (mark === '@') this.object('It reads from a file (@…); put the content into the line.');
    return name === '' ? encodeURIComponent(content) : `${name}=${encodeURIComponent(content)}`;
  }

  call(): Call | TranslationProblem {
    if (this.isForm && !this.isInQuery) this.object(sendsForm);
    if (this.problem !== undefined) return { problem: this.problem };
    if (!this.url) return { problem: 'It names no address.' };
    const isWhole = /^([a-z][a-z0-9+.-]*:\/)?\//i.test(this.url);
    const [, origin = '', rest = ''] =
      /^(https?:\/\/[^/?#]*)?([^#]*)/i.exec(isWhole ? this.url : `http://${this.url}`) ?? [];
    if (origin === '' && !rest.startsWith('/')) return { problem: 'Its address is not of HTTP.' };
    if (!this.isLiteral && severalAddresses.test(rest)) return { problem: asksSeveral };
    const data = this.data.length === 0 ? undefined : this.data.join(this.isJson ? '' : '&');
    const [below = ''] = /^(?:\/[^/?]+)*?(?=\/(?:api|graphql)(?:[/?]|$))/.exec(rest) ?? [];
    const path = rest.startsWith('/') ? rest.slice(below.length) : `/${rest}`;
    const body = this.isInQuery ? undefined : data;
    const query = [...this.query, ...(this.isInQuery && data !== undefined ? [data] : [])].join('&');
    return withoutKey(this.key, {
      method: this.method ?? (this.isHead ? 'HEAD' : body === undefined ? 'GET' : 'POST'),
      origin: withoutUser(origin) + (origin && below),
      path: query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`,
      headers: this.headers,
      body,
    });
  }
}

function withoutKey(key: string | undefined, { method, origin, path, headers, body }: Call): Call {
  // What is shorter is no key but a word that stands for one: taken out of the body, it would make another request of it.
  const hidden = (text: string) =>
    key && key.length >= shortestKey
      ? text.replaceAll(key, keyPlace).replaceAll(encodeURIComponent(key), keyPlace)
      : text;
  return {
    method: hidden(method),
    origin: hidden(origin),
    path: hidden(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [hidden(name), hidden(value)])),
    body: body === undefined ? undefined : hidden(body),
  };
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
  let onlyWords = false;
  for (let word = rest[at++]; word !== undefined; word = rest[at++]) {
    if (word === '--' && !onlyWords) onlyWords = true;
    else if (onlyWords || word === '-' || !word.startsWith('-')) line.setUrl(word);
    else if (word.startsWith('--')) {
      const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      const effect = options[name];
      if (effect) effect(line, value ?? rest[at++] ?? '');
      else setFlag(line, name);
    } else {
      // Short options may stand together, `-sSX`, and their value may follow at once, `-XPOST`.
      for (let letter = 1; letter < word.length; letter++) {
        const name = `-${word.charAt(letter)}`;
        const effect = options[name];
        if (!effect) setFlag(line, name);
        else {
          effect(line, word.slice(letter + 1) || (rest[at++] ?? ''));
          break;
        }
      }
    }
  }
  return line.call();
}

function setFlag(line: CurlRequest, name: string): void {
  if (flags[name]) flags[name](line, '');
  else {
    const shown = /^(--[a-z0-9-]{1,40}|-[a-zA-Z0-9#:])$/.test(name) ? name : name.startsWith('--') ? '--…' : '-…';
    line.object(`The option ${shown} is not known here; leave it out.`);
  }
}

/** What an option does with its value. */
type Effect = (line: CurlRequest, value: string) => void;

const named = (names: string, effect: Effect): Record<string, Effect | undefined> =>
  Object.fromEntries(names.split(' ').map((name) => [name, effect]));

const ignore: Effect = () => undefined;

/** Options with a value. */
const options: Record<string, Effect | undefined> = {
  ...named('-X --request', (line, value) => {
    if (!/^[a-z]{1,10}$/i.test(value)) line.object('Its method is not an HTTP method.');
    line.method = value.toUpperCase();
  }),
  ...named('-H --header', (line, value) => line.addHeader(value)),
  ...named('-d --data --data-ascii --data-binary', (line, value) => line.addData(value)),
  ...named('--data-raw', (line, value) => void line.data.push(value)),
  ...named('--data-urlencode', (line, value) => {
    line.isForm = true;
    line.data.push(line.encoded(value));
  }),
  ...named('--json', (line, value) => {
    line.isJson = true;
    line.addData(value);
  }),
  ...named('--url', (line, value) => line.setUrl(value)),
  // A `+` says that it is encoded already.
  ...named('--url-query', (line, value) => {
    line.query.push(value.startsWith('+') ? value.slice(1) : line.encoded(value));
  }),
  ...named('--oauth2-bearer', (line, value) => {
    line.key = value.trim();
  }),
  ...named('-u --user', (line) =>
    line.object('It signs in with a user and a password; send a key: -H "Authorization: Bearer $API_KEY".'),
  ),
  ...named('-F --form --form-string -T --upload-file -K --config', (line) => line.object(sendsForm)),
  // These do not change the request.
  ...named('-o --output -D --dump-header -w --write-out --stderr -A --user-agent -e --referer', ignore),
  ...named('-m --max-time --connect-timeout --retry --retry-delay --retry-max-time --max-redirs --limit-rate', ignore),
  ...named('-b --cookie -c --cookie-jar -x --proxy --resolve --cacert --cert -E', ignore),
};

/** Options without a value. */
const flags: Record<string, Effect | undefined> = {
  ...named('-I --head', (line) => {
    line.isHead = true;
  }),
  ...named('-G --get', (line) => {
    line.isInQuery = true;
  }),
  ...named('-g --globoff', (line) => {
    line.isLiteral = true;
  }),
  ...named('--next -:', (line) => line.object('It makes several requests; paste one.')),
  ...named('-s --silent -S --show-error -i --include -v --verbose -# --progress-bar --no-progress-meter', ignore),
  ...named('-f --fail --fail-with-body -k --insecure -L --location --compressed', ignore),
  ...named('-N --no-buffer -O --remote-name --http1.1 --http2 -0 -1 -2 -4 -6 --ipv4 --ipv6', ignore),
};
