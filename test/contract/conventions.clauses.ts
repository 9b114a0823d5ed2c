import { expect } from 'vitest';
import type { ClauseTests } from './clause.js';
import { documentedResources } from './document.js';
import { documentedFields, modelName } from './documented-fields.js';
import { each } from './each.js';
import { knownValues } from './known-values.js';
import { create, documented, minimalBody, someRecord } from './records.js';
import { wrongValue } from './values.js';

const topLevel = documentedResources.filter(({ kind }) => kind === 'resource');
const created = documentedResources.filter(({ kind }) => kind !== 'singleton');
const repair = documented('Asset Repair');

/** Section 2.1.1 to 2.1.4 and 2.1.6: what holds for the fields of every record. */
export const conventions: ClauseTests = (clause) => {
  clause('S2.1.1-01', async (gateway) => {
    await each(topLevel, async (resource) => {
      expect((await create(gateway, resource)).id).toMatch(new RegExp(`^${resource.slug}_[^_]+$`));
    });
  });

  clause('S2.1.1-02', async (gateway) => {
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) ids.push((await create(gateway, repair)).id);
    for (const id of ids) expect(id.slice(repair.slug.length + 1)).toMatch(/^[0-9abcdefghjkmnpqrstvwxyz]{26}$/);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(20);
  });

  clause('S2.1.1-03', async ({ rest }) => {
    const { body: first } = await rest('POST', '/api/crm/industry-type', { industry: 'Mining' });
    expect(first.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(first.updated_at).toBe(first.created_at);
    expect(Math.abs(Date.parse(first.created_at) - Date.now())).toBeLessThan(60_000);
    while (Date.now() <= Date.parse(first.created_at)) await new Promise((done) => setTimeout(done, 1));
    const { body: second } = await rest('PATCH', `/api/crm/industry-type/${first.id}`, { industry: 'Quarrying' });
    expect(second.created_at).toBe(first.created_at);
    expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(first.updated_at));
  });

  clause('S2.1.1-04', async (gateway) => {
    const theirs = { id: 'mine', created_at: '1999-01-01T00:00:00.000Z', updated_at: '1999-01-01T00:00:00.000Z' };
    const record = await create(gateway, repair, theirs);
    expect(Object.values(record)).not.toEqual(expect.arrayContaining(['mine']));
    expect(record.created_at).not.toMatch(/^1999/);
    const path = `${repair.base}/${record.id}`;
    const answer = await gateway.rest('PATCH', path, { ...record, ...theirs });
    expect({ ...answer.body, updated_at: '' }).toEqual({ ...record, updated_at: '' });
    expect(answer.body.updated_at).not.toMatch(/^1999/);
  });

  clause('S2.1.2-01', async (gateway) => {
    await each(documentedResources, async (resource) => {
      const { id } = await someRecord(gateway, resource);
      const fields = documentedFields(resource);
      // An answer lists fifty problems at most, and the largest resource has more fields than that.
      for (let start = 0; start < fields.length; start += 40) {
        const part = fields.slice(start, start + 40);
        const body = Object.fromEntries(part.map((field) => [field.name, wrongValue(field)]));
        const answer = await gateway.rest('PATCH', `${resource.base}/${id}`, body);
        expect(answer.status, resource.title).toBe(400);
        const problems = answer.body.error.errors.map(({ param, code }: { param: string; code: string }) => [
          param,
          code,
        ]);
        expect(problems.sort()).toEqual(part.map(({ name }) => [name, 'parameter_invalid']).sort());
      }
    });
  });

  clause('S2.1.2-02', async (gateway) => {
    await each(created, async (resource) => {
      const body = await minimalBody(gateway, resource);
      for (const name of Object.keys(body)) {
        const { [name]: _, ...rest } = body;
        const answer = await gateway.rest('POST', resource.base, rest);
        expect([answer.status, answer.body.error.param], resource.title).toEqual([400, name]);
      }
      expect((await gateway.rest('POST', resource.base, body)).status).toBe(201);
    });
  });

  clause('S2.1.2-03', async (gateway) => {
    await each(created, async (resource) => {
      const record = await create(gateway, resource);
      for (const field of documentedFields(resource)) {
        if (field.default !== undefined) expect(record[field.name], field.name).toBe(field.default);
      }
    });
  });

  clause('S2.1.2-04', async (gateway) => {
    await each(documentedResources, async (resource) => {
      const { updated_at: _, ...record } = await someRecord(gateway, resource);
      const answer = await gateway.rest('PATCH', `${resource.base}/${record.id}`, {});
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject(record);
    });
  });

  clause('S2.1.2-05', async (gateway) => {
    const cleared = { description: null, repair_cost: null, repair_status: null, capitalize_repair_cost: null };
    const values = { description: 'Bearing', repair_cost: 5, repair_status: 'Completed', capitalize_repair_cost: true };
    const before = { description: null, repair_cost: 0, repair_status: 'Pending', capitalize_repair_cost: false };
    const record = await create(gateway, repair, values);
    expect(record).toMatchObject(values);
    expect((await gateway.rest('PATCH', `${repair.base}/${record.id}`, cleared)).body).toMatchObject(before);
    expect(await create(gateway, repair, cleared)).toMatchObject(before);
    const refused = await gateway.rest('PATCH', `${repair.base}/${record.id}`, { asset: null });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'parameter_invalid']);
    expect(refused.body.error.param).toBe('asset');
  });

  clause('S2.1.2-06', async (gateway) => {
    const { id } = await create(gateway, repair);
    const patch = (body: string) => gateway.rest('PATCH', `${repair.base}/${id}`, body);
    for (const body of ['{"repair_cost": "5"}', '{"capitalize_repair_cost": 1}', '{"description": 5}']) {
      expect((await patch(body)).status, body).toBe(400);
    }
    expect((await patch('{"increase_in_asset_life": "5"}')).status).toBe(400);
    expect((await patch('{"increase_in_asset_life": 5.0}')).body.increase_in_asset_life).toBe(5);
  });

  clause('S2.1.2-07', async (gateway) => {
    const { id } = await create(gateway, repair);
    const patch = (body: string) => gateway.rest('PATCH', `${repair.base}/${id}`, body);
    for (const number of ['1e999', '-1e999']) {
      expect((await patch(`{"repair_cost": ${number}}`)).body.error?.param).toBe('repair_cost');
      const literal = `mutation { updateAssetRepair(id: "${id}", input: { repairCost: ${number} }) { record { id } } }`;
      expect((await gateway.graphql(literal)).body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
    for (const integer of ['2147483648', '-2147483649', '1.5', '1e10']) {
      expect((await patch(`{"increase_in_asset_life": ${integer}}`)).body.error?.param).toBe('increase_in_asset_life');
    }
    expect((await patch('{"repair_cost": 1.7976931348623157e308}')).body.repair_cost).toBe(Number.MAX_VALUE);
    expect((await patch('{"repair_cost": -0}')).body.repair_cost).toBe(0);
    expect((await patch('{"increase_in_asset_life": 2147483647}')).body.increase_in_asset_life).toBe(2147483647);
  });

  clause('S2.1.2-08', async (gateway) => {
    const body = { ...(await minimalBody(gateway, repair)), repair_costs: 5, 'no such name at all': 1 };
    const { status, body: answer } = await gateway.rest('POST', repair.base, body);
    expect(status).toBe(400);
    expect(answer.error.errors).toMatchObject([
      { param: 'repair_costs', code: 'parameter_unknown', message: expect.stringContaining('`repair_cost`') },
      { param: 'no such name at all', code: 'parameter_unknown' },
    ]);
  });

  clause('S2.1.2-09', async (gateway) => {
    const { id } = await create(gateway, repair);
    const patch = (text: string) => gateway.rest('PATCH', `${repair.base}/${id}`, `{"description": "${text}"}`);
    for (const escaped of ['\\u0000', 'a\\ud800', '\\udc00b']) {
      const answer = await patch(escaped);
      expect([answer.status, answer.body.error?.param]).toEqual([400, 'description']);
    }
    expect((await patch('\\ud83d\\ude00 \\u0001 e\\u0301')).body.description).toBe('😀 \u0001 e\u0301');
  });

  clause('S2.1.3-01', async (gateway) => {
    const dates = { failure_date: '2026-11-05', completion_date: '2028-02-29' };
    expect(await create(gateway, repair, dates)).toMatchObject(dates);
  });

  clause('S2.1.3-02', async (gateway) => {
    const dates = { failure_date: '05/11/2026', completion_date: 'some day' };
    expect(await create(gateway, repair, dates)).toMatchObject(dates);
  });

  clause('S2.1.3-03', async (gateway) => {
    for (const completed_at of ['2026-11-05T08:30:00Z', '2026-11-05T08:30:00.123456+05:30']) {
      const record = await create(gateway, documented('Signing Document'), { completed_at });
      expect(record.completed_at).toBe(completed_at);
    }
  });

  clause('S2.1.3-04', async (gateway) => {
    const quotation = await create(gateway, documented('Quotation'), { valid_till: 'the end of next week' });
    expect(quotation.valid_till).toBe('the end of next week');
    const times = { from_time: '08:15', to_time: 'after lunch' };
    expect(await create(gateway, documented('Job Card Time Log'), times)).toMatchObject(times);
    expect(await create(gateway, documented('Timesheet Detail'), times)).toMatchObject(times);
  });

  clause('S2.1.4-01', async (gateway) => {
    for (const [path, values] of Object.entries(knownValues)) {
      const [model, name = ''] = path.split('.');
      if (values.includes('draft')) continue; // the states of section 3 are no free text
      const resource = documented(documentedResources.find(({ title }) => modelName(title) === model)?.title ?? path);
      const { id } = await someRecord(gateway, resource);
      for (const value of [...values, `anything else for ${name}`]) {
        const answer = await gateway.rest('PATCH', `${resource.base}/${id}`, { [name]: value });
        expect(answer.body[name], answer.text).toBe(value);
      }
    }
  });

  clause('S2.1.4-02', async (gateway) => {
    const defaultsOf = async (title: string) => create(gateway, documented(title));
    expect(await defaultsOf('Signing Document')).toMatchObject({
      signing_order: 'parallel',
      distribution_method: 'email',
      visibility: 'everyone',
    });
    expect(await defaultsOf('Asset Repair')).toMatchObject({ repair_status: 'Pending' });
    expect(await defaultsOf('Quotation')).toMatchObject({ order_type: 'Sales', apply_discount_on: 'Grand Total' });
  });

  clause('S2.1.6-01', async ({ rest }) => {
    const base = '/api/accounts/currency-exchange-settings';
    const access_key = 'sk_live "not" a \\secret\\ here ✓';
    const { body } = await rest('PATCH', `${base}/currency-exchange-settings_default`, { access_key });
    expect(body.access_key).toBe(access_key);
    expect((await rest('GET', base)).body.access_key).toBe(access_key);
  });
};
