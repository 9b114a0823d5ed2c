/** Two gateways on one PostgreSQL database race for the same documents and the same lines. */
import { type Fault, workers } from './fault.js';
import { type GatewayProcess, startGateway } from './gateway-process.js';
import { atLeast, exactly, tried } from './report.js';
import { damages, numberOf, rowsOf } from './rows.js';

const repairs = '/api/assets/asset-repair';
const lines = `${repairs}-consumed-item`;
const documents = 100;
const racers = 6;

export const racing: Fault = {
  title: 'two gateways racing on PostgreSQL',
  async run(place, report, progress) {
    const databaseUrl = await place.database('postgresql');
    const gateways = [await startGateway({ databaseUrl }), await startGateway({ databaseUrl })];
    const gatewayOf = (racer: number) => gateways[racer % gateways.length] as GatewayProcess;
    const newRepair = async () =>
      (await gatewayOf(0).send('POST', repairs, { asset: 'press', failure_date: '2026-01-31' })).body.id as string;

    progress('submits');
    const submits = { won: 0, lost: 0, other: 0 };
    for (let document = 0; document < documents; document++) {
      const id = await newRepair();
      const answers = await Promise.all(
        Array.from({ length: racers }, (_, racer) => gatewayOf(racer).send('POST', `${repairs}/${id}/submit`)),
      );
      for (const { status } of answers) submits[status === 200 ? 'won' : status === 409 ? 'lost' : 'other']++;
    }

    progress('lines');
    const parent = await newRepair();
    const done = { writes: 0, refused: 0, other: [] as string[] };
    let steps = 0;
    await workers(8, async (racer) => {
      const { status, body } = await changeLines(gatewayOf(racer), parent);
      if (status === 200 || status === 201) done.writes++;
      // Another racer has deleted the line, or added a line to those to be reordered.
      else if (status === 404 || body.error.code === 'reorder_mismatch') done.refused++;
      else done.other.push(`${status} ${JSON.stringify(body)}`);
      return ++steps < 800;
    });
    const [row] = await rowsOf(databaseUrl, `SELECT "version" FROM "AssetRepair" WHERE "id" = '${parent}'`);
    const places = (await rowsOf(databaseUrl, 'SELECT "idx" FROM "AssetRepairConsumedItem" ORDER BY "idx"')).map(
      ({ idx }) => idx,
    );

    progress('counters');
    let created = 0;
    await workers(16, async (racer) => {
      const { body } = await gatewayOf(racer).send('POST', '/api/crm/industry-type', { industry: 'mining' });
      if (racer % 2 === 0) await gatewayOf(racer + 1).send('DELETE', `/api/crm/industry-type/${body.id}`);
      return ++created < 800;
    });
    const totals = await Promise.all(gateways.map((gateway) => gateway.send('GET', '/api/crm/industry-type?limit=1')));
    const stored = await numberOf(databaseUrl, 'SELECT count(*) FROM "IndustryType"');
    await Promise.all(gateways.map((gateway) => gateway.stop()));

    report.figure('submits that won, one a document', submits.won, exactly(documents));
    report.figure('submits refused with 409', submits.lost, exactly(documents * (racers - 1)));
    report.figure('line writes (create with idx, move, delete, reorder)', done.writes, tried(400));
    report.figure('refused because another was first', done.refused, tried(1));
    report.figure('unexpected answers', submits.other + done.other.length, exactly(0));
    for (const answer of done.other.slice(0, 3)) report.holds('an answer', false, answer);
    const causes = gateways.flatMap(({ log }) => log.split('\n').filter((line) => line.includes('"error"')));
    for (const cause of causes.slice(0, 3)) report.holds('a cause in the log', false, cause.slice(0, 900));
    report.figure('lines left', places.length, atLeast(1));
    report.figure('lines out of place', places.filter((idx, at) => idx !== at + 1).length, exactly(0));
    // A move to the same place, and the same order, raise no version.
    const raised = Number(row?.version) - 1;
    report.holds("parent's version rises by one for each line write at most", raised <= done.writes, `${raised}`);
    report.figure("line writes that raised the parent's version", raised, atLeast(done.writes * 0.8));
    for (const [index, { body }] of totals.entries()) {
      report.figure(`total minus count(*), gateway ${index + 1}`, body.total - stored, exactly(0));
    }
    report.figure('damages found by the database itself', (await damages(databaseUrl)).length, exactly(0));
  },
};

/** One change, at random, to the lines of `parent`. */
async function changeLines(gateway: GatewayProcess, parent: string) {
  const create = () =>
    gateway.send('POST', lines, { asset_repair_id: parent, idx: 1 + random(10), item_code: 'bolt', warehouse: 'main' });
  const { body } = await gateway.send('GET', `${lines}?parent_id=${parent}&limit=1000`);
  const ids: string[] = body.data.map(({ id }: { id: string }) => id);
  const some = ids[random(ids.length)];
  if (!some || ids.length < 5) return create();
  switch (random(4)) {
    case 0:
      return create();
    case 1:
      return gateway.send('PATCH', `${lines}/${some}`, { idx: 1 + random(ids.length) });
    case 2:
      return gateway.send('DELETE', `${lines}/${some}`);
    default:
      return gateway.send('POST', `${lines}/reorder`, { parent_id: parent, ids: shuffled(ids) });
  }
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}

function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
