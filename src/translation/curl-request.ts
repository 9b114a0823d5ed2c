import { type Call, keyPlace } from './call.js';
import type { Problem } from './shell-words.js';

/** What the options of a line of curl say of its request, one after the other. */
export class CurlRequest {
  #problem: string | undefined;
  #url: string | undefined;
  #method: string | undefined;
  #isHead = false;
  #inQuery = false;
  #isJson = false;
  #key: string | undefined;
  readonly #headers: Record<string, string> = {};
  readonly #data: string[] = [];

  object(problem: string): void {
    this.#problem ??= problem;
  }

  url(url: string): void {
    if (this.#url !== undefined) this.object('It names two addresses; paste one request.');
    this.#url = url;
  }

  method(method: string): void {
    if (!/^[a-z]{1,10}$/i.test(method)) this.object('Its method is no method of HTTP.');
    this.#method = method.toUpperCase();
  }

  head(): void {
    this.#isHead = true;
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

  call(): Call | Problem {
    if (this.#problem !== undefined) return { problem: this.#problem };
    if (!this.#url) return { problem: 'It names no address.' };
    const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(this.#url)
      ? this.#url
      : this.#url.startsWith('/')
        ? this.#url
        : `http://${this.#url}`;
    const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)?([^#]*)/i.exec(whole) ?? [];
    if (origin === '' && !rest.startsWith('/')) return { problem: 'Its address is not of HTTP.' };
    const data = this.#data.length === 0 ? undefined : this.#data.join(this.#isJson ? '' : '&');
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    const body = this.#inQuery ? undefined : data;
    const usual = this.#isHead ? 'HEAD' : body === undefined ? 'GET' : 'POST';
    return this.#withoutKey({
      method: this.#method ?? usual,
      origin: origin.replace(/\/\/[^@/]*@/, '//'),
      path: this.#inQuery && data !== undefined ? `${path}${path.includes('?') ? '&' : '?'}${data}` : path,
      headers: this.#headers,
      body,
    });
  }

  #withoutKey(call: Call): Call {
    const key = this.#key;
    if (!key || key === keyPlace) return call;
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
