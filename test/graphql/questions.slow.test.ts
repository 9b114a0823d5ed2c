/**
 * Random queries with filters, orders, pages, nested lists and aggregates, sent to the gateway and to the database in
 * plain SQL, on both databases: the four answers must be equal. The gateway answers by compiled statements or by its
 * resolvers, at random. SEED repeats a run with the same records.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seed } from '../support/seed.js';
import { runs } from '../support/thorough.js';
import { groupsOf } from './questions/aggregate-sql.js';
import type { Answer } from './questions/answer.js';
import { arbitraryQuestion } from './questions/arbitrary-question.js';
import { answerThrough } from './questions/ask-graphql.js';
import { fill, randomData } from './questions/data.js';
import { listOf } from './questions/list-sql.js';
import { openPlain, type Plain } from './questions/plain-database.js';
import type { Question } from './questions/question.js';

const count = runs(30, 3000);

/** Conditions on lines of lines exceed the limit of cost, which is raised here. */
const env = { COST_LIMIT: '999999999' };

const models = ['SerialAndBatchBundle', 'SerialNo', 'AssetRepair', 'JobCard', 'Timesheet', 'Quotation'];

describe(`the gateway and plain SQL, SEED=${seed}`, () => {
  const data = randomData(models, seed);
  const ids = new Map([...data].map(([model, rows]) => [model, rows.map(({ id }) => String(id))]));
  let databases: { compiled: TestGateway; resolving: TestGateway; plain: Plain }[] = [];

  beforeAll(async () => {
    databases = await Promise.all(
      providers.map(async (provider) => {
        const compiled = await startGateway({ database: provider, env });
        const { databaseUrl } = compiled.config;
        const resolving = await startGateway({ env: { ...env, DATABASE_URL: databaseUrl }, compiled: false });
        const plain = await openPlain(provider, databaseUrl);
        await fill(plain, data);
        return { compiled, resolving, plain };
      }),
    );
  });
  afterAll(() => Promise.all(databases.flatMap((database) => Object.values(database).map((each) => each.close()))));

  test(`answer ${count} random questions alike, on both databases`, { timeout: 120_000 + count * 400 }, async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryQuestion([...data.keys()], ids), fc.boolean(), async (question, isCompiled) => {
        const answers = await Promise.all(
          databases.flatMap(({ compiled, resolving, plain }) => [
            answerThrough(isCompiled ? compiled : resolving, question),
            answerIn(plain, question),
          ]),
        );
        const [first, ...others] = answers;
        for (const other of others) expect(other).toEqual(first);
        if (first && !isEmpty(first)) told++;
      }),
      { numRuns: count },
    );
    expect(told, 'questions of which the answer is not empty').toBeGreaterThan(count / 3);
  });
});

const answerIn = (plain: Plain, question: Question): Promise<Answer> =>
  question.kind === 'list' ? listOf(plain, question) : groupsOf(plain, question);

const isEmpty = (answer: Answer): boolean => ('groups' in answer ? answer.groups : answer.records).length === 0;
