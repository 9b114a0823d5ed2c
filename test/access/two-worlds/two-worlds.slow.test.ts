/**
 * Two databases that differ only in what is hidden from a caller answer alike, whatever the caller asks or does. `TWO_WORLDS`
 * sets how many operations are tried, `TWO_WORLDS_SEED` which, and `TWO_WORLDS_ONLY` of which kinds.
 */
import { describe, expect, test } from 'vitest';
import { type Asked, type Known, kinds, operation } from './operations.js';
import { Random } from './random.js';
import { startReplicated } from './standby.js';
import { Watched } from './watched.js';
import { hiddenIn, twoWorlds, type World } from './worlds.js';

const count = Number(process.env.TWO_WORLDS ?? 400);
const seed = Number(process.env.TWO_WORLDS_SEED ?? Date.now() % 1_000_000);
const only = process.env.TWO_WORLDS_ONLY?.split(',') ?? kinds;

describe.each(['sqlite', 'postgresql'] as const)('on %s', (provider) => {
  test.each([
    { compiled: true, search: true },
    { compiled: false, search: true },
    { compiled: true, search: false },
    ...(provider === 'postgresql' ? [{ compiled: true, search: true, standby: true }] : []),
  ])(
    'compiled $compiled, search $search, standby $standby',
    async ({ compiled, search, standby }) => {
      const random = new Random(seed);
      const replicated = standby ? await startReplicated() : undefined;
      const { worlds, ids, close } = await twoWorlds(provider, random, { compiled, search, replicated });
      const handles = new Handles();
      for (const [model, made] of ids) for (const id of made) handles.add(model, [id, id]);
      const outcomes: Record<string, number> = {};
      const watched = worlds.map((world) => new Watched(world));
      for (const each of watched) await each.opened();
      let before = await hiddenIn(worlds[0]);
      try {
        for (let place = 0; place < count; place++) {
          const { kind, asked } = operation(random, handles, only);
          if (kind === 'administer') {
            // What is hidden in one world is not there in the other, and stays so.
            const [whole, other] = worlds;
            const isThere = /"data":\{"\w+":\{"record":\{/.test((await administer(other, handles.said(asked, 1))).text);
            if (isThere) await administer(whole, handles.said(asked, 0));
            before = await hiddenIn(whole);
            // What others have written a standby may show later.
            await replicated?.catchUp();
            continue;
          }
          const answers: Got[] = [];
          // One after the other: a process that serves both takes a key for a repetition of the same request.
          for (const [index, world] of worlds.entries()) answers.push(await ask(world, handles.said(asked, index)));
          handles.learn(answers.map(({ text }) => text));
          const [one, other] = answers.map((answer, index) => handles.shown(answer, index));
          expect(other, `seed ${seed}, operation ${place}, ${kind}: ${JSON.stringify(asked, null, 1)}`).toEqual(one);
          // An operation that is no operation of the schema would find nothing.
          const isFault = /GRAPHQL_VALIDATION_FAILED|INTERNAL_SERVER_ERROR|^5/.test(one ?? '');
          expect(
            isFault && [asked, one, worlds[0].gateway.logLines.filter((line) => line.includes('"err"')).at(-1)],
          ).toBe(false);
          const outcome = `${kind} ${/"(?:code|reason)":"(\w+)"/.exec(one ?? '')?.[1] ?? answers[0]?.status}`;
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }
        expect(await hiddenIn(worlds[0]), `seed ${seed}`).toEqual(before);
        const [one = [], other = []] = await Promise.all(watched.map((each) => each.events()));
        for (const [place, events] of one.entries()) {
          const shown = (text: string | undefined, world: number) =>
            handles.shown({ status: 200, text: text ?? '', etag: null }, world);
          expect(inOrder(shown(other[place], 1)), `seed ${seed}, stream ${place}`).toEqual(inOrder(shown(events, 0)));
          outcomes[`events of stream ${place}`] = events.split('\n').length;
        }
        if (process.env.TWO_WORLDS) console.table(outcomes);
      } finally {
        for (const each of watched) each.end();
        await close();
      }
    },
    3_600_000,
  );
});

/** The lines of a stream. Of records that one statement deletes together, a database tells in an order of its own. */
function inOrder(text: string): string[] {
  const runs: string[][] = [[]];
  for (const line of text.split('\n')) {
    const isDeletion = line.includes('"action":"DELETE"');
    if (!isDeletion || !runs.at(-1)?.[0]?.includes('DELETE')) runs.push([]);
    runs.at(-1)?.push(line);
  }
  return runs.flatMap((run) => run.sort());
}

interface Got {
  status: number;
  text: string;
  etag: string | null;
}

const administer = ({ gateway }: World, asked: Asked) =>
  'query' in asked ? gateway.graphql(asked.query, asked.variables) : gateway.rest(asked.method, asked.path, asked.body);

async function ask({ gateway, secret }: World, asked: Asked): Promise<Got> {
  const headers = { authorization: `Bearer ${secret}`, ...asked.headers };
  const answer =
    'query' in asked
      ? await gateway.graphql(asked.query, asked.variables, headers)
      : await gateway.rest(asked.method, asked.path, asked.body, headers);
  return { status: answer.status, text: answer.text, etag: answer.headers.get('etag') };
}

const idForm = /\b[a-z]+(?:-[a-z]+)*_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** What the worlds call the same records. */
class Handles implements Known {
  readonly #pairs: (readonly [string, string])[] = [];
  readonly #places = [new Map<string, number>(), new Map<string, number>()] as const;
  readonly #of = new Map<string, string[]>();
  readonly #all: string[] = [];

  add(model: string, pair: readonly [string, string]): void {
    const place = this.#pairs.push(pair) - 1;
    for (const world of [0, 1] as const) this.#places[world].set(pair[world], place);
    const token = `«${place}»`;
    const known = this.#of.get(model) ?? [];
    known.push(token);
    this.#of.set(model, known);
    this.#all.push(token);
  }

  of(model: string): readonly string[] {
    return this.#of.get(model) ?? [];
  }

  any(): readonly string[] {
    return this.#all;
  }

  /** The operation in the words of one world. */
  said(asked: Asked, world: number): Asked {
    const text = JSON.stringify(asked)
      .replaceAll(/«(\d+)»/g, (_, place) => this.#pairs[Number(place)]?.[world as 0 | 1] ?? '')
      .replaceAll('«now»', new Date(Date.now() - 1).toISOString());
    return JSON.parse(text);
  }

  /** Pairs ids that are new in both answers, in their order. */
  learn(texts: readonly string[]): void {
    const [one = [], other = []] = texts.map((text, world) =>
      [...new Set(text.match(idForm) ?? [])].filter((id) => !this.#places[world as 0 | 1].has(id)),
    );
    for (const [index, id] of one.entries()) {
      const twin = other[index];
      const model = modelOf(id);
      if (twin && model) this.add(model, [id, twin]);
    }
  }

  /** An answer without what each world has of its own. */
  shown({ status, text, etag }: Got, world: number): string {
    const plain = text
      .replaceAll(
        /"(cursor|startCursor|endCursor)":"([^"]*)"/g,
        (_, name, cursor) => `"${name}":${Buffer.from(cursor, 'base64url').toString()}`,
      )
      .replaceAll(idForm, (id) => `«${this.#places[world as 0 | 1].get(id) ?? '?'}»`)
      // The cursors of searches hold a part of an id.
      .replaceAll(/"[0-9a-hjkmnp-tv-z]{26}"/g, '"…"')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'T')
      .replaceAll(/"(requestId|request_id)":"[^"]*"/g, '');
    return `${status} ${etag} ${plain}`;
  }
}

const models: Record<string, string> = {
  'asset-repair': 'AssetRepair',
  'asset-repair-consumed-item': 'AssetRepairConsumedItem',
  'serial-no': 'SerialNo',
  'job-card': 'JobCard',
  'job-card-time-log': 'JobCardTimeLog',
  timesheet: 'Timesheet',
  'timesheet-detail': 'TimesheetDetail',
  'sales-invoice-payment': 'SalesInvoicePayment',
  'industry-type': 'IndustryType',
  'uom-category': 'UOMCategory',
};
const modelOf = (id: string): string | undefined => models[id.slice(0, id.lastIndexOf('_'))];
