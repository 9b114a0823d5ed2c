/** Writers that change documents in every possible way, and record the answers. */
import { randomUUID } from 'node:crypto';
import type { GatewayProcess } from './gateway-process.js';

const repairs = '/api/assets/asset-repair';
const lines = `${repairs}-consumed-item`;

/** A record whose change was acknowledged. */
export interface Acknowledged {
  id: string;
  action: string;
}

/** The answer to a request: its changes, `refused`, or `unknown` if no answer came. */
export type Outcome = readonly Acknowledged[] | 'refused' | 'unknown';

interface Repair {
  id: string;
  lines: string[];
  status: 'draft' | 'submitted' | 'cancelled';
}

interface Sent {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

type Way = [chance: number, act: (repair: Repair) => Promise<void>];

const graphql = (query: string, variables: object): Sent => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});
const text = () => `${Math.random()} ${'.'.repeat(Math.random() < 0.3 ? 2000 : 10)}`;
const newRepair = (count: number) => ({
  asset: text(),
  failureDate: '2026-01-31',
  description: text(),
  consumedItems: Array.from({ length: count }, () => ({ itemCode: 'bolt', warehouse: 'main' })),
});
const withLines = '{ id consumedItems { id } }';
const changed = (action: string, ...ids: string[]) => ids.map((id) => ({ id, action }));
const idsIn = (records: { id: string }[]) => records.map(({ id }) => id);
// biome-ignore lint/suspicious/noExplicitAny: bodies differ by request
type Body = any;

export class ChangeWriter {
  #repairs: Repair[] = [];

  constructor(
    /** By the id of the request. */
    private readonly outcomes: Map<string, Outcome>,
    private readonly gateway: () => GatewayProcess,
    /** A document that all writers change. */
    private readonly shared: string,
  ) {}

  /** One request, of any kind. */
  async write(): Promise<void> {
    const repair = this.#repairs[Math.floor(Math.random() * this.#repairs.length)];
    if (!repair || this.#repairs.length < 4) return this.#create();
    let dice = Math.random() * this.#ways.reduce((sum, [chance]) => sum + chance, 0);
    for (const [chance, act] of this.#ways) {
      dice -= chance;
      if (dice > 0) continue;
      try {
        return await act(repair);
      } catch {
        // Its outcome is unknown.
        this.#repairs = this.#repairs.filter((each) => each !== repair);
        return;
      }
    }
  }

  readonly #ways: Way[] = [
    [8, () => this.#create()],
    [3, () => this.#createMany()],
    [4, () => this.#updateMany()],
    [2, () => this.#deleteMany()],
    [
      12,
      ({ id }) =>
        this.#send({ method: 'PATCH', path: `${repairs}/${id}`, body: { asset: text() } }, () => changed('update', id)),
    ],
    [
      8,
      () =>
        this.#send({ method: 'PATCH', path: `${repairs}/${this.shared}`, body: { asset: text() } }, () =>
          changed('update', this.shared),
        ),
    ],
    [10, (repair) => this.#addLine(repair)],
    [8, (repair) => this.#changeLine(repair)],
    [5, (repair) => this.#deleteLine(repair)],
    [6, (repair) => this.#reorder(repair)],
    [10, (repair) => this.#save(repair)],
    [6, (repair) => this.#advance(repair)],
    [4, (repair) => this.#remove(repair)],
    [12, (repair) => this.#beRefused(repair)],
    [5, (repair) => this.#changeNothing(repair)],
  ];

  async #create(): Promise<void> {
    if (Math.random() < 0.5) {
      const body = { asset: text(), failure_date: '2026-01-31' };
      const made = await this.#send({ method: 'POST', path: repairs, body }, ({ id }) => changed('create', id));
      if (made) this.#repairs.push({ id: made.id, lines: [], status: 'draft' });
      return;
    }
    const create = `mutation ($input: CreateAssetRepairInput!) { it: createAssetRepair(input: $input) { record ${withLines} } }`;
    const made = await this.#send(graphql(create, { input: newRepair(3) }), ({ data: { it } }) =>
      changed('create', it.record.id, ...idsIn(it.record.consumedItems)),
    );
    const repair = made?.data.it.record;
    if (repair) this.#repairs.push({ id: repair.id, lines: idsIn(repair.consumedItems), status: 'draft' });
  }

  async #createMany(): Promise<void> {
    const create = `mutation ($inputs: [CreateAssetRepairInput!]!) { it: createManyAssetRepairs(inputs: $inputs) { records ${withLines} } }`;
    const made = await this.#send(graphql(create, { inputs: [newRepair(1), newRepair(2), newRepair(0)] }), ({ data }) =>
      changed('create', ...data.it.records.flatMap((each: Body) => [each.id, ...idsIn(each.consumedItems)])),
    );
    for (const each of made?.data.it.records ?? [])
      this.#repairs.push({ id: each.id, lines: idsIn(each.consumedItems), status: 'draft' });
  }

  async #updateMany(): Promise<void> {
    const ids = idsIn(this.#repairs.slice(0, 5));
    const updates = ids.map((id) => ({ id, input: { asset: text() } }));
    const update =
      'mutation ($updates: [UpdateManyAssetRepairsItem!]!) { it: updateManyAssetRepairs(updates: $updates) { records { id } } }';
    await this.#send(graphql(update, { updates }), () => changed('update', ...ids));
  }

  async #deleteMany(): Promise<void> {
    const gone = this.#repairs.splice(0, 2);
    const remove = 'mutation ($ids: [ID!]!) { it: deleteManyAssetRepairs(ids: $ids) { deletedIds } }';
    await this.#send(graphql(remove, { ids: idsIn(gone) }), () =>
      gone.flatMap((each) => changed('delete', each.id, ...each.lines)),
    );
  }

  async #addLine(repair: Repair): Promise<void> {
    const body = { asset_repair_id: repair.id, idx: 1, item_code: 'nut', warehouse: 'main' };
    const made = await this.#send({ method: 'POST', path: lines, body }, ({ id }) => [
      ...changed('create', id),
      ...changed('move', ...repair.lines),
      ...changed('update', repair.id),
    ]);
    if (made) repair.lines.unshift(made.id);
  }

  async #changeLine(repair: Repair): Promise<void> {
    const [first] = repair.lines;
    if (!first) return this.#addLine(repair);
    const sent = { method: 'PATCH', path: `${lines}/${first}`, body: { item_code: text() } };
    await this.#send(sent, () => [...changed('update', first, repair.id)]);
  }

  async #deleteLine(repair: Repair): Promise<void> {
    const first = repair.lines.shift();
    if (!first) return this.#addLine(repair);
    await this.#send({ method: 'DELETE', path: `${lines}/${first}` }, () => [
      ...changed('delete', first),
      ...changed('move', ...repair.lines),
      ...changed('update', repair.id),
    ]);
  }

  async #reorder(repair: Repair): Promise<void> {
    const [first, ...rest] = repair.lines;
    if (!first || rest.length === 0) return this.#addLine(repair);
    const ids = [...rest, first];
    const acknowledged = () => [...changed('move', ...ids), ...changed('update', repair.id)];
    const reorder =
      'mutation ($id: ID!, $ids: [ID!]) { it: reorderAssetRepairConsumedItems(parentId: $id, ids: $ids) { records { id } } }';
    const sent =
      Math.random() < 0.5
        ? { method: 'POST', path: `${lines}/reorder`, body: { parent_id: repair.id, ids } }
        : graphql(reorder, { id: repair.id, ids });
    if (await this.#send(sent, acknowledged)) repair.lines = ids;
  }

  async #save(repair: Repair): Promise<void> {
    const [first] = repair.lines;
    const kept = first ? [{ id: first, itemCode: text() }] : [];
    const made = await this.#send(
      save(repair.id, { asset: text(), consumedItems: [...kept, { itemCode: 'new', warehouse: 'main' }] }),
      () => [
        ...changed('update', repair.id, ...(first ? [first] : [])),
        ...changed('delete', ...repair.lines.slice(1)),
      ],
    );
    if (made) repair.lines = idsIn(made.data.it.record.consumedItems);
  }

  async #advance(repair: Repair): Promise<void> {
    const { id, status } = repair;
    if (status === 'cancelled') return this.#remove(repair);
    const action = status === 'draft' ? 'submit' : 'cancel';
    const sent =
      Math.random() < 0.5
        ? { method: 'POST', path: `${repairs}/${id}/${action}` }
        : graphql(`mutation ($id: ID!) { it: ${action}AssetRepair(id: $id) { record { id } } }`, { id });
    if (await this.#send(sent, () => changed(action, id)))
      repair.status = status === 'draft' ? 'submitted' : 'cancelled';
  }

  async #remove(repair: Repair): Promise<void> {
    this.#repairs = this.#repairs.filter((each) => each !== repair);
    await this.#send({ method: 'DELETE', path: `${repairs}/${repair.id}` }, () =>
      changed('delete', repair.id, ...repair.lines),
    );
  }

  /** Several of these are undone after a part was written. */
  async #beRefused({ id, lines: [first], status }: Repair): Promise<void> {
    const wrong = { 'if-match': '"99999"' };
    const refused: Sent[] = [
      { method: 'PATCH', path: `${repairs}/${id}`, body: { asset: text() }, headers: wrong },
      save(id, {
        asset: text(),
        consumedItems: [
          { itemCode: 'x', warehouse: 'x' },
          { id: 'none', itemCode: 'x' },
        ],
      }),
      graphql('mutation ($ids: [ID!]!) { it: deleteManyAssetRepairs(ids: $ids) { deletedIds } }', {
        ids: [id, 'none'],
      }),
    ];
    if (first) refused.push({ method: 'PATCH', path: `${lines}/${first}`, body: { idx: 9 }, headers: wrong });
    if (status !== 'submitted') refused.push({ method: 'POST', path: `${repairs}/${id}/cancel` });
    const sent = refused[Math.floor(Math.random() * refused.length)];
    if (sent) await this.#send(sent, () => [{ id, action: 'refusal' }]);
  }

  async #changeNothing({ id }: Repair): Promise<void> {
    const input = { asset: text(), consumedItems: [] };
    const none: Sent[] = [
      { method: 'PATCH', path: `${repairs}/${id}`, body: {} },
      graphql(saveText.replace('input: $input)', 'input: $input, validateOnly: true)'), { id, input }),
      graphql('query ($id: ID!) { previewAction(id: $id, action: DELETE) { allowed } }', { id }),
    ];
    const sent = none[Math.floor(Math.random() * none.length)];
    if (sent) await this.#send(sent, () => []);
  }

  /** The answer, if it is a success. Throws if there is none. */
  async #send({ method, path, body, headers }: Sent, acknowledged: (body: Body) => Acknowledged[]): Promise<Body> {
    const requestId = randomUUID();
    this.outcomes.set(requestId, 'unknown');
    const answer = await this.gateway().send(method, path, body, { 'x-request-id': requestId, ...headers });
    const errors = answer.body?.errors ?? [];
    const code = answer.body?.error?.code ?? errors[0]?.extensions?.reason;
    if (answer.status >= 500 || ['timeout', 'database_unavailable', 'busy'].includes(code)) throw new Error(code);
    const isRefused = answer.status >= 400 || errors.length > 0;
    this.outcomes.set(requestId, isRefused ? 'refused' : acknowledged(answer.body));
    return isRefused ? undefined : answer.body;
  }
}

const saveText = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
  it: saveAssetRepair(id: $id, input: $input) { record ${withLines} } }`;
const save = (id: string, input: object): Sent => graphql(saveText, { id, input });
