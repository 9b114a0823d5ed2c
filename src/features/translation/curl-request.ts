import { type Call, keyPlace } from './call.js';
import type { TranslationProblem } from './shell-words.js';

export const sendsForm = 'It sends a form or a file; the body of a request is JSON: use -d.';

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
export class CurlRequest {
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
