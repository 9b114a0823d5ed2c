/** Documents come and go at random: the feed, the histories and a stream show what a plain look at the whole journal says. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JournalEntry } from '../../src/change/journal/journal.js';
import { chanceOf } from '../compiled/random.js';
import { watch } from '../features/live/watch.js';
import { providers } from '../support/database.js';
import { runs } from '../support/thorough.js';
import { repairOf, startRuled } from './rules.js';

const seed = Number(process.env.SEED ?? 3_402);
const company = 'ACME';

/** The company of a document in each of its versions. */
function companiesOf(entries: readonly JournalEntry[], id: string): Map<number, unknown> {
  const companies = new Map<number, unknown>();
  let last: unknown = null;
  for (const entry of entries.filter((each) => each.id === id)) {
    const change = entry.changes.find(({ field }) => field === 'company');
    if (entry.action !== 'delete' && change) last = change.after;
    companies.set(entry.revision, last);
  }
  return companies;
}

interface Shown {
  recordId: string;
  action: string;
  version: number;
  changes: { field: string; before: unknown; after: unknown }[];
}

/** What somebody of the company is told of an entry; undefined if nothing. */
function shownOf(entry: JournalEntry, companies: Map<number, unknown>): Shown | undefined {
  const [then, before] = [companies.get(entry.revision), companies.get(entry.revision - 1)];
  if ([...companies.values()].at(-1) !== company || then !== company) return undefined;
  const isNew = entry.action === 'create' || before === company;
  if (!isNew && entry.action === 'delete') return undefined;
  const hidden = entry.resource.kind === 'child' ? 'serialNo' : 'actionsPerformed';
  const changes = entry.changes
    .filter(({ field, after }) => field !== hidden && (isNew || after !== null))
    .map(({ field, before: old, after }) => ({ field, before: isNew ? old : null, after }));
  return { recordId: entry.id, action: entry.action.toUpperCase(), version: entry.version, changes };
}

describe.each(providers)('on %s', (database) => {
  test(`with the seed ${seed}`, { timeout: 300_000 }, async () => {
    const gateway = await startRuled(database);
    const reader = await gateway.caller('reader');
    const chance = chanceOf(seed);
    const pick = () => chance.pick([company, company, 'Other', null]);
    const repairs: Awaited<ReturnType<typeof repairOf>>[] = [];
    const gone = new Set<string>();
    for (let step = 0; step < runs(120, 2_000); step++) {
      const there = repairs.filter(({ id }) => !gone.has(id));
      const repair = there.length > 0 ? chance.pick(there) : undefined;
      if (!repair || chance.chance(0.1)) {
        repairs.push(await repairOf(gateway, pick(), { description: chance.pick([null, 'a']) }));
        continue;
      }
      const values = [
        { company: pick() },
        { company: pick(), description: chance.pick([null, 'b']), actionsPerformed: `s${step}` },
        { asset: `a${step}` },
        { actionsPerformed: `s${step}` },
      ];
      const kind = chance.upTo(8);
      if (kind === 0 && chance.chance(0.5)) {
        gone.add(repair.id);
        await repair.remove();
      } else if (kind < 3) await repair.changeLine(chance.pick([{ serialNo: `n${step}` }, { warehouse: `w${step}` }]));
      else await repair.change(chance.pick(values));
    }
    const entries: JournalEntry[] = [];
    for (let isAll = false; !isAll; ) {
      const page = await gateway.journal.read(entries.at(-1)?.position ?? 0, 500);
      entries.push(...page.entries);
      isAll = page.isAll;
    }
    const companies = new Map(repairs.map(({ id }) => [id, companiesOf(entries, id)]));
    const expected = entries.flatMap((entry) => shownOf(entry, companies.get(entry.document.id) ?? new Map()) ?? []);
    const found: Shown[] = [];
    for (let [after, hasMore] = ['', true]; hasMore; ) {
      const { body } = await reader.graphql(`{ changes(first: 7${after}) { hasMore position
        nodes { recordId action version changes { path before(names: REST) after(names: REST) } } } }`);
      const { nodes, position } = body.data.changes;
      hasMore = body.data.changes.hasMore;
      if (hasMore) expect(nodes).toHaveLength(7);
      after = `, after: "${position}"`;
      for (const { changes, ...node } of nodes)
        found.push({
          ...node,
          changes: changes.map(({ path, ...each }: { path: string[] }) => ({ field: path.at(-1), ...each })),
        });
    }
    expect(found).toEqual(expected);
    expect(expected.length).toBeGreaterThan(20);
    for (const { id } of repairs) {
      const { body } = await reader.graphql(
        'query ($id: ID!) { history(id: $id, first: 100) { nodes { version action } } }',
        { id },
      );
      const versions = expected
        .filter(({ recordId }) => recordId === id)
        .map(({ version, action }) => ({ version, action }));
      expect(body.data.history?.nodes ?? []).toEqual(versions.reverse());
      for (const [version, then] of companies.get(id) ?? []) {
        const isShown = then === company && [...(companies.get(id)?.values() ?? [])].at(-1) === company;
        const isOfDeletion = gone.has(id) && version === Math.max(...(companies.get(id)?.keys() ?? []));
        const { node } = (await reader.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: `${id}@${version}` }))
          .body.data;
        expect(node !== null, `${id}@${version}`).toBe(isShown && !isOfDeletion);
      }
    }
    // A stream from the beginning tells the same, and who has left.
    const last = await repairOf(gateway, company);
    const first = entries[0]?.position ?? 0;
    const stream = watch(
      { url: gateway.url, key: reader.secret },
      'subscription ($after: String) { changes(after: $after) { position recordId version leftId deletedId notice } }',
      { after: first },
    );
    onTestFinished(stream.stop);
    const told: string[] = [];
    for (;;) {
      const { recordId, version, leftId, notice } = await stream.next();
      if (recordId === last.id) break;
      if (!notice && !leftId) told.push(`${recordId} ${version}`);
    }
    const streamed = entries
      .filter(({ position }) => position > first)
      .flatMap((entry) => {
        const its = companies.get(entry.document.id) ?? new Map();
        const wasThere = its.get(entry.revision - 1) === company;
        const isTold = entry.action === 'delete' ? wasThere : shownOf(entry, its) !== undefined;
        return isTold ? [`${entry.id} ${entry.version}`] : [];
      });
    expect(told).toEqual(streamed);
  });
});
