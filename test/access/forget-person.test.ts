/** `records people forget` takes a person out of everything that names authors. */
import { expect, onTestFinished, test } from 'vitest';
import { records } from '../commands/records.js';
import { startGateway } from '../support/gateway.js';

const subject = 'https://login.example|ada';

test.each(['sqlite', 'postgresql'] as const)(
  'on %s: records, journal and counts of uses name somebody unknown',
  async (database) => {
    const gateway = await startGateway({ database });
    onTestFinished(gateway.close);
    const create =
      'mutation ($industry: String!) { createIndustryType(input: { industry: $industry }) { record { id } } }';
    const ids: string[] = [];
    for (const industry of ['one', 'two', 'three'])
      ids.push((await gateway.graphql(create, { industry })).body.data.createIndustryType.record.id);
    // As if two of them were made by a person, who is the last to have changed the third, too.
    const run = (sql: string) => gateway.database.client.$executeRawUnsafe(sql);
    await run(
      `UPDATE "IndustryType" SET "createdBy" = '${subject}', "updatedBy" = '${subject}' WHERE "id" <> '${ids[2]}'`,
    );
    await run(`UPDATE "IndustryType" SET "updatedBy" = '${subject}' WHERE "id" = '${ids[2]}'`);
    await run(
      `UPDATE "JournalEntry" SET "keyId" = '${subject}', "keyName" = 'Ada Lovelace' WHERE "recordId" <> '${ids[2]}'`,
    );
    const env = { DATABASE_URL: gateway.config.databaseUrl };
    const { code, text, problem } = await records(['people', 'forget', subject, '--json'], env);
    expect([code, problem]).toEqual([0, '']);
    const forgotten = JSON.parse(text);
    expect(forgotten).toMatchObject({
      records: 3,
      entries: 2,
      uses: 0,
      as: expect.stringMatching(/^forgotten\|[0-9a-z]{12}$/),
    });
    const { body } = await gateway.graphql(
      '{ industryTypes(orderBy: [{ field: CREATED_AT }]) { nodes { version createdBy updatedBy history { nodes { by { keyId keyName } } } } } }',
    );
    const [one, two, three] = body.data.industryTypes.nodes;
    for (const each of [one, two]) {
      expect(each).toMatchObject({ version: 1, createdBy: forgotten.as, updatedBy: forgotten.as });
      expect(each.history.nodes[0].by).toEqual({ keyId: forgotten.as, keyName: 'forgotten' });
    }
    expect(three).toMatchObject({ createdBy: 'key:environment', updatedBy: forgotten.as });
    const again = await records(['people', 'forget', subject], env);
    expect([again.code, again.problem]).toEqual([1, expect.stringContaining('Nothing in this database names')]);
    const key = await records(['people', 'forget', 'brg_0123456789ab'], env);
    expect([key.code, key.problem]).toEqual([1, expect.stringContaining('names no person')]);
  },
);
