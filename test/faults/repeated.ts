/** The process is killed while requests with an `Idempotency-Key` are under way; each is sent again until it is answered. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { onBoth, workers } from './fault.js';
import { type Answer, type GatewayProcess, startGateway } from './gateway-process.js';
import { anything, exactly, tried } from './report.js';
import { rowsOf } from './rows.js';

const rounds = 8;
const clients = 8;

/** A request that creates a record with a unique name, and the id in the answer. */
interface Request {
  key: string;
  answered?: string;
}

export const repeated = onBoth(
  'kill -9 between a request and its repetition',
  async (provider, place, report, progress) => {
    const databaseUrl = await place.database(provider);
    const requests: Request[] = [];
    let cutOff = 0;
    let hadHappened = 0;
    const others = new Set<string>();

    for (let round = 0; round <= rounds; round++) {
      progress(`round ${round} of ${rounds}, ${requests.length} requests`);
      const open = requests.filter(({ answered }) => !answered);
      const gateway = await startGateway({ databaseUrl });
      const happened = await idsByKey(databaseUrl);
      hadHappened += open.filter(({ key }) => happened.has(key)).length;
      const isLast = round === rounds;
      let answers = 0;
      const sending = workers(clients, async () => {
        const request = open.pop() ?? (isLast ? undefined : { key: randomUUID() });
        if (!request) return false;
        if (!requests.includes(request)) requests.push(request);
        try {
          const { status, id } = await create(gateway, request.key);
          answers++;
          if (status < 300) request.answered = id;
          else others.add(`${status}`);
          return true;
        } catch {
          cutOff++;
          return false;
        }
      });
      const enough = 20 + Math.random() * 40;
      for (let waited = 0; !isLast && answers < enough && waited < 5000; waited += 5) await sleep(5);
      if (isLast) await sending;
      gateway.kill('SIGKILL');
      await Promise.all([sending, gateway.ended]);
    }

    const stored = await idsByKey(databaseUrl);
    const ids = (key: string) => stored.get(key) ?? [];
    report.figure('requests', requests.length, tried(rounds * clients));
    report.figure('cut off by the kill, and repeated', cutOff, tried(rounds));
    report.figure('of these had happened, without an answer', hadHappened, anything);
    report.holds('no other answer than success', others.size === 0, [...others].join(', '));
    report.figure('left without an answer', requests.filter(({ answered }) => !answered).length, exactly(0));
    report.figure('that happened twice', requests.filter(({ key }) => ids(key).length > 1).length, exactly(0));
    report.figure(
      'answered and not there',
      requests.filter(({ key, answered }) => ids(key)[0] !== answered).length,
      exactly(0),
    );
  },
);

const path = '/api/assets/asset-repair';
const mutation =
  'mutation ($asset: String!) { made: createAssetRepair(input: { asset: $asset, failureDate: "" }) { record { id } } }';

/** Creates the record through one of the surfaces, chosen by the key, so that a repetition is the same request. */
async function create(gateway: GatewayProcess, key: string): Promise<{ status: number; id: string }> {
  const headers = { 'idempotency-key': key };
  const isRest = key < '8';
  const { status, body }: Answer = isRest
    ? await gateway.send('POST', path, { asset: key, failure_date: '' }, headers)
    : await gateway.send('POST', '/graphql', { query: mutation, variables: { asset: key } }, headers);
  return { status, id: isRest ? body.id : body.data?.made?.record?.id };
}

/** The ids of the stored records, by their names. */
async function idsByKey(databaseUrl: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { id, asset } of await rowsOf(databaseUrl, 'SELECT "id", "asset" FROM "AssetRepair"')) {
    found.set(String(asset), [...(found.get(String(asset)) ?? []), String(id)]);
  }
  return found;
}
