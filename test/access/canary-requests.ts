/** Every kind of request, good and bad, that carries an API key and the credential of a provider. */
import { request } from 'node:http';

export interface Canaries {
  url: string;
  /** The API key that opens. */
  key: string;
  /** A key that does not. */
  wrongKey: string;
  /** The value of `access_key`. */
  credential: string;
  /** One of digits only. */
  pin: string;
}

/** An answer, and its request in a few words. */
export interface Heard {
  what: string;
  status: number;
  /** Status line, headers and body. */
  text: string;
  body: string;
}

type Send = (
  what: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Heard>;

const settings = '/api/accounts/currency-exchange-settings';
const one = `${settings}/currency-exchange-settings_default`;
const repairs = '/api/assets/asset-repair';
const update = `mutation ($input: UpdateCurrencyExchangeSettingsInput!) {
  updateCurrencyExchangeSettings(id: "currency-exchange-settings_default", input: $input) { record { accessKey } }
}`;
const literally = (input: string) => ({
  query: `mutation { updateCurrencyExchangeSettings(id: "currency-exchange-settings_default", input: {${input}}) { record { id } } }`,
});

/** Sends JSON, or a string as it is, with the key unless told otherwise, and keeps the answer. */
export function sender({ url, key }: Canaries, heard: Heard[]): Send {
  return async (what, method, path, body, headers = {}) => {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...json, ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const head = JSON.stringify([response.status, ...response.headers]);
    const answer = { what, status: response.status, text: `${head}\n${text}`, body: text };
    heard.push(answer);
    return answer;
  };
}

/** Requests whose answers may hold the credential: they ask for it. */
export async function askForCredential({ credential }: Canaries, send: Send): Promise<void> {
  const once = { 'idempotency-key': 'the same twice' };
  await send('set it', 'PATCH', one, { access_key: credential });
  await send('get it', 'GET', settings);
  await send('set it by GraphQL', 'POST', '/graphql', {
    query: update,
    variables: { input: { accessKey: credential } },
  });
  for (const what of ['set it once', 'set it once, again']) {
    const body = { query: update, variables: { input: { accessKey: credential } } };
    await send(what, 'POST', '/graphql', body, { ...once, 'idempotency-key': 'settings-1' });
  }
  await send('get it by GraphQL', 'POST', '/graphql', { query: '{ currencyExchangeSettings { accessKey } }' });
  await send(
    'get it by GET',
    'GET',
    `/graphql?query=${encodeURIComponent('{ currencyExchangeSettings { accessKey } }')}`,
  );
}

/** Requests that contain the credential and whose answers must not. */
export async function carryCredential({ url, key, credential }: Canaries, send: Send): Promise<void> {
  const graphql = (what: string, body: unknown) => send(`GraphQL: ${what}`, 'POST', '/graphql', body);
  const rest = (what: string, body: unknown, headers?: Record<string, string>) =>
    send(`REST: ${what}`, 'PATCH', one, body, headers);
  await rest('an unknown field beside it', { access_key: credential, nonsense: 1 });
  await rest('a list of it', { access_key: [credential] });
  await rest('an object of it', { access_key: { value: credential } });
  await rest('it in a boolean', { disabled: credential });
  await rest('broken JSON', `{"access_key": "${credential}"`);
  await rest('broken JSON of another kind', `{"access_key": ${credential}}`);
  await rest('a list of bodies', [{ access_key: credential }]);
  await rest('another type', `access_key=${credential}`, { 'content-type': 'application/x-www-form-urlencoded' });
  await rest('too large', { access_key: credential, url: 'x'.repeat(1024 * 1024) });
  await rest('a stale version', { access_key: credential }, { 'if-match': '"1"' });
  await rest('null for what is required', { access_key: credential, api_endpoint: null });
  await send('another id', 'PATCH', `${settings}/currency-exchange-settings_other`, { access_key: credential });
  await send('another method', 'POST', settings, { access_key: credential });
  await send('no such path', 'POST', '/api/no/such', { access_key: credential });
  await graphql('a list of it', { query: update, variables: { input: { accessKey: [credential] } } });
  await graphql('it in a boolean', { query: update, variables: { input: { disabled: credential } } });
  await graphql('it beside an unknown name', { query: update, variables: { input: { accessKey: credential, no: 1 } } });
  await graphql('it as variables', { query: update, variables: credential });
  await graphql('it in the extensions', { query: update, extensions: { credential } });
  await graphql('it as the operation name', { query: '{ __typename }', operationName: credential });
  await graphql('it as a literal', literally(`accessKey: "${credential}"`));
  await graphql('it as a literal block', literally(`accessKey: """${credential}"""`));
  await graphql('a literal of another type', literally(`disabled: "${credential}"`));
  await graphql('a literal without quotes', literally(`accessKey: ${credential.replaceAll('-', '_')}`));
  await graphql('a list of literals', literally(`accessKey: ["${credential}"]`));
  await graphql('a literal object', literally(`accessKey: {value: "${credential}"}`));
  await graphql('a literal where a name belongs', { query: `{ currencyExchangeSettings "${credential}" }` });
  await graphql('a literal that does not end', literally(`accessKey: "${credential}`));
  await graphql('a literal beside an unknown name', literally(`accessKey: "${credential}", no: 1`));
  await graphql('a literal enum', { query: `{ assetRepairs(orderBy: [{ field: "${credential}" }]) { totalCount } }` });
  await graphql('a condition', {
    query: `query ($w: CurrencyExchangeSettingsDetailsFilter) {
      currencyExchangeSettingsDetailsList(parentId: "x", where: $w) { totalCount }
    }`,
    variables: { w: { currencyExchangeSettings: { accessKey: { startsWith: credential } } } },
  });
  await graphql('a cursor', { query: `{ assetRepairs(after: "${credential}") { totalCount } }` });
  await graphql('a default', {
    query: `query ($n: Int = "${credential}") { assetRepairs(first: $n) { totalCount } }`,
  });
  await send('GET with it', 'GET', `/graphql?query=${encodeURIComponent(`{ x(a: "${credential}") }`)}`);
  await send('GET with it in broken variables', 'GET', `/graphql?query={__typename}&variables={"a":"${credential}"`);
  await leave(url, key, `{"access_key": "${credential}", `);
}

/** Requests with a credential that is written as a number, as no text is: each is refused. */
export async function carryPin({ pin }: Canaries, send: Send): Promise<void> {
  const numbers = [pin, `-${pin}`, `${pin}.5`, `${pin}e3`];
  const graphql = (what: string, body: unknown) => send(`GraphQL: ${what}`, 'POST', '/graphql', body);
  for (const number of numbers) {
    for (const literal of [number, `[${number}]`, `[[${number}]]`, `{value: ${number}}`]) {
      await graphql(`the literal ${literal}`, literally(`accessKey: ${literal}`));
      await graphql(`the literal ${literal} in a boolean`, literally(`disabled: ${literal}`));
      await graphql(`the default ${literal}`, {
        query: `mutation ($k: String = ${literal}) {
          updateCurrencyExchangeSettings(input: { accessKey: $k }) { record { id } userErrors { message } }
        }`,
      });
      await graphql(`the literal ${literal} in a condition`, {
        query: `{ currencyExchangeSettingsDetailsList(parentId: "x", where: { currencyExchangeSettings: { accessKey: { eq: ${literal} } } }) { totalCount } }`,
      });
    }
    await graphql(`the number ${number} where a name belongs`, {
      query: `{ currencyExchangeSettings(${number}: 1) { id } }`,
    });
    await graphql(`the number ${number} as a field`, { query: `{ currencyExchangeSettings { ${number} } }` });
    await graphql(`the number ${number} with letters`, literally(`accessKey: ${number}x`));
    await graphql(`the name _${pin}`, literally(`accessKey: _${pin}`));
    const values = [number, `[${number}]`, `{"value": ${number}}`];
    for (const value of values) {
      const input = `{"input": {"accessKey": ${value}}}`;
      await graphql(`the variable ${value}`, `{"query": ${JSON.stringify(update)}, "variables": ${input}}`);
      await graphql(
        `the variable ${value} of a text`,
        `{"query": "mutation ($k: String) { updateCurrencyExchangeSettings(input: { accessKey: $k }) { userErrors { message } } }", "variables": {"k": ${value}}}`,
      );
      await send(`REST: ${value}`, 'PATCH', one, `{"access_key": ${value}}`);
      await send(`REST, explained: ${value}`, 'PATCH', `${one}?_explain=graphql`, `{"access_key": ${value}}`);
    }
  }
}

/** Requests that carry keys where they belong and where they do not. */
export async function carryKeys({ key, wrongKey }: Canaries, send: Send): Promise<void> {
  const body = { asset: 'LATHE-1', failure_date: '2026-01-31' };
  const bearer = (authorization: string) => ({ authorization });
  await send('a wrong key', 'GET', repairs, undefined, bearer(`Bearer ${wrongKey}`));
  await send('a wrong key on GraphQL', 'POST', '/graphql', { query: '{ __typename }' }, bearer(`Bearer ${wrongKey}`));
  for (const scheme of ['Basic', 'Token', 'bearer  x']) {
    await send(`the scheme ${scheme}`, 'GET', repairs, undefined, bearer(`${scheme} ${key}`));
  }
  await send('the key in the query', 'GET', `${repairs}?api_key=${key}&limit=0`);
  await send('the key in the query of a POST', 'POST', `/graphql?access_token=${wrongKey}`, {
    query: '{ __typename }',
  });
  await send('the key in other headers', 'GET', repairs, undefined, { 'x-api-key': key, cookie: key, referer: key });
  await send('the key as the value of a number', 'POST', repairs, { ...body, repair_cost: key });
  await send('the key in broken JSON', 'POST', repairs, `{"authorization": "Bearer ${key}"`);
  for (const what of ['once', 'once, again']) {
    await send(what, 'POST', repairs, body, { 'idempotency-key': 'repair-1' });
  }
  await send(
    'once, with another body',
    'POST',
    repairs,
    { ...body, asset: 'LATHE-2' },
    { 'idempotency-key': 'repair-1' },
  );
  await send('the key as Idempotency-Key', 'POST', repairs, body, { 'idempotency-key': key });
  await send('a key that is too long', 'POST', repairs, body, { 'idempotency-key': key.repeat(10) });
  for (const path of ['/', '/graphql', '/healthz', '/readyz', '/no/such/path']) {
    await send(`the page ${path}`, 'GET', path, undefined, { accept: 'text/html' });
  }
  for (const method of ['HEAD', 'OPTIONS', 'PUT']) await send(method, method, repairs);
}

/** Sends a part of a body and goes away. */
async function leave(url: string, key: string, start: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': 1000 };
  const leaving = request(url + one, { method: 'PATCH', headers });
  leaving.on('error', () => {});
  leaving.write(start);
  setTimeout(() => leaving.destroy(), 100);
  await new Promise((gone) => leaving.on('close', gone));
}
