import { expect } from 'vitest';
import type { ClauseTests } from './clause.js';
import { documentedEndpoints } from './endpoints.js';
import { create, documented, type RecordBody, type Rest } from './records.js';

const industry = documented('Industry Type');
const uom = documented('UOM Category');

/** Sections 8 and 9: limits and versioning. */
export const limitsAndVersions: ClauseTests = (clause) => {
  clause('S8-01', async (gateway) => {
    await upTo(gateway, 25);
    const bare = (await gateway.rest('GET', industry.base)).body;
    expect(bare.data).toHaveLength(20);
    expect((await gateway.rest('GET', `${industry.base}?limit=20&offset=0`)).body).toEqual(bare);
  });

  clause('S8-02', async (gateway) => {
    await upTo(gateway, 25);
    const ids = async (query: string) =>
      (await gateway.rest('GET', `${industry.base}?${query}`)).body.data.map(({ id }: RecordBody) => id);
    const all = await ids('limit=1000');
    expect(await ids('limit=5&offset=7')).toEqual(all.slice(7, 12));
    expect(await ids('offset=20')).toEqual(all.slice(20, 40));
    expect(await ids('offset=2147483647')).toEqual([]);
  });

  clause('S8-03', async (gateway) => {
    const total = await upTo(gateway, 25);
    const more = async (query: string) => (await gateway.rest('GET', `${industry.base}?${query}`)).body.has_more;
    expect(await more(`limit=${total - 1}`)).toBe(true);
    expect(await more(`limit=${total}`)).toBe(false);
    expect(await more(`limit=5&offset=${total - 6}`)).toBe(true);
    expect(await more(`limit=5&offset=${total - 5}`)).toBe(false);
    expect(await more(`offset=${total + 100}`)).toBe(false);
  });

  clause('S8-04', async (gateway) => {
    const total = await upTo(gateway, 25);
    for (const query of ['', '?limit=1', '?offset=24', '?limit=3&offset=1000']) {
      expect((await gateway.rest('GET', industry.base + query)).body.total, query).toBe(total);
    }
    const { id } = await create(gateway, industry);
    expect((await gateway.rest('GET', industry.base)).body.total).toBe(total + 1);
    await gateway.rest('DELETE', `${industry.base}/${id}`);
    expect((await gateway.rest('GET', industry.base)).body.total).toBe(total);
  });

  clause('S8-05', async ({ rest }) => {
    for (const good of ['limit=1', 'limit=1000', 'offset=0', 'limit=007']) {
      expect((await rest('GET', `${industry.base}?${good}`)).status, good).toBe(200);
    }
    for (const bad of [
      ...['limit=0', 'limit=1001', 'limit=-1', 'limit=abc', 'limit=', 'limit=1.5', 'limit=1e2', 'limit=%201'],
      ...['limit=99999999999999999999', 'offset=-1', 'offset=x', 'offset=2147483648', 'offset=0x10', 'offset=null'],
    ]) {
      const { status, body } = await rest('GET', `${industry.base}?${bad}`);
      const name = bad.slice(0, bad.indexOf('='));
      expect([status, body.error?.code, body.error?.param], bad).toEqual([400, 'parameter_invalid', name]);
    }
  });

  clause('S8-06', async (gateway) => {
    const { rest } = gateway;
    const { total } = (await rest('GET', uom.base)).body;
    const ofSize = (bytes: number) => {
      const frame = '{"category_name":""}'.length;
      return `{"category_name":"${'x'.repeat(bytes - frame)}"}`;
    };
    const largest = await rest('POST', uom.base, ofSize(1024 * 1024));
    expect(largest.status).toBe(201);
    const path = `${uom.base}/${largest.body.id}`;
    expect((await rest('GET', path)).body.category_name).toHaveLength(1024 * 1024 - 20);
    const refused = await rest('POST', uom.base, ofSize(1024 * 1024 + 1));
    expect([refused.status, refused.body.error.code]).toEqual([413, 'body_too_large']);
    expect((await rest('GET', uom.base)).body.total).toBe(total + 1);
  });

  clause('S8-07', async ({ rest }) => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => rest('GET', `${industry.base}?limit=1`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.flatMap(({ headers }) => [...headers.keys()]).filter((name) => /rate/.test(name))).toEqual([]);
  });

  clause('S9-01', async ({ rest }) => {
    for (const { path } of documentedEndpoints) expect(path).toMatch(/^\/api\/[a-z]+\/[a-z-]+(\/|$)/);
    for (const prefix of ['/api/v1', '/v1/api', '/api/2026-11-05', '']) {
      const path = industry.base.replace('/api', prefix);
      const { status, body } = await rest('GET', path);
      expect([status, body.error.code], path).toEqual([404, 'route_not_found']);
    }
    expect((await rest('GET', industry.base)).status).toBe(200);
  });

  clause('S9-02', async (gateway) => {
    await create(gateway, industry);
    const plain = await gateway.rest('GET', industry.base);
    for (const name of ['api-version', 'accept-version', 'stripe-version']) {
      const answer = await gateway.rest('GET', industry.base, undefined, { [name]: '2020-01-01' });
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
    }
    expect([...plain.headers.keys()].filter((name) => /version|deprecation|sunset/.test(name))).toEqual([]);
  });
};

/** Creates Industry Types until there are at least this many; returns their number. */
async function upTo(gateway: Rest, wanted: number): Promise<number> {
  const { total } = (await gateway.rest('GET', industry.base)).body;
  const missing = Math.max(0, wanted - total);
  await Promise.all(Array.from({ length: missing }, () => create(gateway, industry)));
  return total + missing;
}
