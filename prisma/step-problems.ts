/**
 * What keeps a migration from being applied while gateways serve: a statement that locks out others for long, or that takes
 * away what the version before uses. Only statements that are known to be harmless pass.
 */
import { isConcurrent, type Provider, stepOf } from '../src/database/migrations/migration-history.js';
import { statementsOf } from './statements-of.js';

const naming =
  'Name it <time>_expand_<name>; or, where it takes away what an expansion has replaced that is in an earlier release, <time>_contract_<time of that expansion>_<name>';

/** What is wrong with a migration, given the names of those before it. */
export function stepProblems(provider: Provider, name: string, sql: string, before: readonly string[]): string[] {
  const step = stepOf(name);
  if (!step) return [`${name}: ${naming}.`];
  const isContraction = step.kind === 'contract';
  if (isContraction && !before.some((each) => each.startsWith(`${step.completes}_expand_`))) {
    return [`${name}: there is no expansion of the time ${step.completes} before it. ${naming}.`];
  }
  const statements = statementsOf(sql);
  if (provider === 'postgresql' && isConcurrent(sql)) return concurrentProblems(name, statements);
  const made = new Set(statements.map((statement) => /^CREATE TABLE "(\w+)"/i.exec(statement)?.[1] ?? ''));
  return statements
    .map((statement) => ({ statement, problem: problemOf(provider, statement, isContraction, made) }))
    .filter(({ problem }) => problem !== undefined)
    .map(({ statement, problem }) => `${name}: ${problem}: ${statement.slice(0, 100)}`);
}

/** An index that is built beside writers can be half built when the process ends, and is then begun again. */
function concurrentProblems(name: string, statements: readonly string[]): string[] {
  const drop = /^DROP INDEX CONCURRENTLY IF EXISTS "(\w+)"$/i;
  const isOnly = statements.every((statement, index) => {
    const index_ = drop.exec(statements[index % 2 === 0 ? index : index - 1] ?? '')?.[1];
    const create = new RegExp(`^CREATE INDEX CONCURRENTLY "${index_}" ON `, 'i');
    return index_ !== undefined && (index % 2 === 0 || create.test(statement));
  });
  if (isOnly && statements.length > 0 && statements.length % 2 === 0) return [];
  return [
    `${name}: An index is built beside writers by a migration of its own, which holds nothing but pairs of DROP INDEX CONCURRENTLY IF EXISTS "name" and CREATE INDEX CONCURRENTLY "name" ON …`,
  ];
}

/** Statements that take a lock for a moment and change nothing for those who do not know of them. */
const harmless =
  /^(CREATE TABLE|CREATE SEQUENCE|CREATE (OR REPLACE )?(FUNCTION|VIEW|TRIGGER|CONSTRAINT TRIGGER)|CREATE VIRTUAL TABLE|INSERT INTO "\w+" (\([^)]*\) )?VALUES|SET LOCAL) ?/i;
const taking = /^DROP (TABLE|INDEX|TRIGGER|FUNCTION|VIEW)/i;

function problemOf(
  provider: Provider,
  statement: string,
  isContraction: boolean,
  made: ReadonlySet<string>,
): string | undefined {
  if (harmless.test(statement)) return undefined;
  if (taking.test(statement))
    return isContraction ? undefined : 'The version before may use it; drop it in a contraction';
  const [, command = '', table = ''] =
    /^(ALTER TABLE|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:UNIQUE )?INDEX.*? ON) "(\w+)"/i.exec(statement) ?? [];
  if (table !== '' && made.has(table)) return undefined;
  if (/^ALTER TABLE/i.test(command)) return alterProblem(statement, isContraction);
  if (/^CREATE UNIQUE/i.test(command)) return 'The version before may write what it refuses';
  // SQLite has one writer, who waits for any migration; an index takes it a second for a million records.
  if (/^CREATE INDEX/i.test(command)) {
    if (provider === 'sqlite') return undefined;
    return 'It locks out writers while the index is built; write CREATE INDEX CONCURRENTLY, in a migration of its own';
  }
  if (/^(INSERT|UPDATE|DELETE)/i.test(command))
    return 'It locks rows of a table in use; let the gateway fill what is new';
  return 'It is not known to be harmless while gateways serve';
}

const addition = /^ADD COLUMN "\w+" /i;

function alterProblem(statement: string, isContraction: boolean): string | undefined {
  const clauses = statement.replace(/^ALTER TABLE "\w+" /i, '').split(/, ?(?=(?:ADD|ALTER|DROP|RENAME|VALIDATE) )/i);
  for (const clause of clauses) {
    if (/^(ALTER COLUMN "\w+" SET DEFAULT|VALIDATE CONSTRAINT)/i.test(clause)) continue;
    if (/^ADD CONSTRAINT .* NOT VALID$/i.test(clause)) continue;
    if (/^(DROP |ALTER COLUMN "\w+" DROP )/i.test(clause)) {
      if (isContraction) continue;
      return 'The version before may use it; drop it in a contraction';
    }
    if (!addition.test(clause))
      return 'It changes what the version before uses, or reads the whole table: add something new instead';
    if (/ NOT NULL/i.test(clause) && !/ DEFAULT /i.test(clause)) {
      return 'The version before does not fill it: leave out NOT NULL or give it a DEFAULT';
    }
    if (
      / (UNIQUE|PRIMARY KEY|REFERENCES|GENERATED|SERIAL|BIGSERIAL)\b/i.test(clause) ||
      / DEFAULT [^ ]*\(/i.test(clause)
    ) {
      return 'It reads or writes the whole table while it is locked: add a column without it';
    }
  }
  return undefined;
}
