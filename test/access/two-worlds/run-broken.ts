/**
 * `npm run test:rules`: leaves the rules out at one place after another, in a copy of the checkout, and sees that the two worlds
 * then answer differently. Exits with 1 if they do not notice.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

interface Broken {
  what: string;
  file: string;
  from: string;
  to: string;
  /** The kinds of operations of the two worlds that are to notice, or a file of tests. */
  noticedBy: string;
}

const reads = 'list,plainList,one,nodes,lines,aggregate,entities,restRead';
const rulesOfWrites = 'test/access/rules-of-writes.test.ts';
const writes = 'one,create,update,save,move,remove,reorder,many,restWrite';

const broken: Broken[] = [
  {
    what: 'reads by compiled SQL',
    file: 'src/gateway/http/deadline.ts',
    from: 'if (!limit) return (sql',
    to: 'if (limit !== null) return (sql',
    noticedBy: reads,
  },
  {
    what: 'reads by Prisma',
    file: 'src/database/prisma-adapter.ts',
    from: 'if (!limited) return',
    to: 'if (limited !== null) return',
    noticedBy: reads,
  },
  {
    what: 'rows of documents',
    file: 'src/query/table-views.ts',
    from: 'return isEverything(rule) ? {} : {',
    to: "return resource.model !== 'UOMCategory' ? {} : {",
    noticedBy: reads,
  },
  {
    what: 'lines by their document',
    file: 'src/query/table-views.ts',
    from: 'if (reads.length === 0 &&',
    to: 'if (reads.length >= 0 ||',
    noticedBy: reads,
  },
  {
    what: 'lines without a document here',
    file: 'src/query/table-views.ts',
    from: "rights.rule(line, 'read')",
    to: "{ kind: 'and', of: [] }",
    noticedBy: 'lines,one,nodes',
  },
  {
    what: 'hidden fields',
    file: 'src/query/table-views.ts',
    from: 'const hidden = rights.hidden(resource);',
    to: 'const hidden = new Set<string>();',
    noticedBy: reads,
  },
  {
    what: 'totals',
    file: 'src/query/table-views.ts',
    from: 'if (counted.length > 0)',
    to: 'if (counted.length > 1e9)',
    noticedBy: 'plainList,list',
  },
  {
    what: 'one record that is changed',
    file: 'src/change/statements/conditions.ts',
    from: '  if (!allowed) return conditions;',
    to: '  if (allowed !== null) return conditions;',
    noticedBy: writes,
  },
  {
    what: 'many records that are changed',
    file: 'src/change/statements/conditions.ts',
    from: '  if (!allowed) return [];',
    to: '  if (allowed !== null) return [];',
    noticedBy: 'many,one',
  },
  {
    what: 'records that are deleted',
    file: 'src/change/statements/conditions.ts',
    from: 'if (allowed) conditions.push(...allowedSql(text, resource, allowed));',
    to: '',
    noticedBy: 'remove,many,one',
  },
  {
    what: 'new records',
    file: 'src/change/limit-plan.ts',
    from: 'if (!isEverything(rule) && !rows',
    to: 'if (isEverything(rule) && !rows',
    noticedBy: 'create,restWrite,list',
  },
  {
    what: 'why nothing was changed: whether it is seen',
    file: 'src/change/refusals.ts',
    from: '|| (allowed && !matches(allowed.seen',
    to: '|| (allowed && 1 > 2 && !matches(allowed.seen',
    noticedBy: writes,
  },
  {
    what: 'documents that a save leaves as they are',
    file: 'src/change/apply-plan.ts',
    from: 'if (step.allowed && !(yield*',
    to: 'if (step.allowed && 1 > 2 && !(yield*',
    noticedBy: 'save,update,reorder',
  },
  {
    what: 'lines that are changed',
    file: 'src/change/limit-plan.ts',
    from: "case 'raise':\n    case 'lock':",
    to: "case 'lock':",
    noticedBy: writes,
  },
  {
    what: 'which line is meant',
    file: 'src/change/writes/line.ts',
    from: 'if (!standing || !(yield* isSeen(writing, resource, id)))',
    to: 'if (!standing)',
    noticedBy: rulesOfWrites,
  },
  {
    what: 'lines that are put into order',
    file: 'src/change/writes/line.ts',
    from: 'if (!parent || (yield* isHidden(writing, resource, parentId))) {',
    to: 'if (!parent) {',
    noticedBy: 'reorder',
  },
  {
    what: 'previews',
    file: 'src/change/writes/preview.ts',
    from: 'if (!(yield* isSeen(',
    to: 'if (1 > 2 && !(yield* isSeen(',
    noticedBy: 'preview',
  },
  {
    what: 'answers of compiled writes',
    file: 'src/change/compiled/writes.ts',
    from: 'writing.limits ? reading &&',
    to: 'writing.limits === null ? reading &&',
    noticedBy: writes,
  },
  {
    what: 'versions of a record in its history',
    file: 'src/features/history/schema/history-fields.ts',
    from: 'const seen = identity.rights &&',
    to: 'const seen = 1 > 2 && identity.rights &&',
    noticedBy: 'test/access/rules-history.test.ts',
  },
  {
    what: 'records as they were',
    file: 'src/features/history/past/read-past.ts',
    from: 'if (!rights) return wholePast',
    to: 'if (rights !== null) return wholePast',
    noticedBy: 'test/access/rules-history.test.ts',
  },
  {
    what: 'the feed of changes',
    file: 'src/change/journal/journal.ts',
    from: 'const sight = rights &&',
    to: 'const sight = 1 > 2 && rights &&',
    noticedBy: 'test/access/rules-history.test.ts',
  },
  {
    what: 'events of streams',
    file: 'src/features/live/stream-events.ts',
    from: 'const effect = rights ?',
    to: 'const effect = rights === null ?',
    noticedBy: 'test/access/rules-live.test.ts',
  },
  {
    what: 'hidden fields of events',
    file: 'src/features/live/stream-events.ts',
    from: 'const fields = rights ?',
    to: 'const fields = rights === null ?',
    noticedBy: 'test/access/rules-live.test.ts',
  },
  {
    what: 'filters of streams by hidden fields',
    file: 'src/features/live/stream-events.ts',
    from: 'if (!rights || !resource ||',
    to: 'if (rights !== null || !resource ||',
    noticedBy: 'test/access/rules-live.test.ts',
  },
  {
    what: 'streams of somebody whose roles change',
    file: 'src/features/live/hub.ts',
    from: 'if (now.rights?.digest === identity.rights?.digest &&',
    to: 'if (',
    noticedBy: 'test/access/tokens-in-streams.test.ts',
  },
  {
    what: 'messages of webhooks',
    file: 'src/features/webhooks/delivery/message.ts',
    from: 'return !rights ||',
    to: 'return rights !== null ||',
    noticedBy: 'test/access/rules-webhooks.test.ts',
  },
  {
    what: 'what is found by search',
    file: 'src/features/search/search-sql.ts',
    from: 'const limited = rights ?',
    to: 'const limited = rights === null ?',
    noticedBy: 'test/access/rules-search.test.ts',
  },
  {
    what: 'searches of hidden texts',
    file: 'src/features/search/schema/search-fields.ts',
    from: 'const hidden = rights &&',
    to: 'const hidden = 1 > 2 && rights &&',
    noticedBy: 'test/access/rules-search.test.ts',
  },
  {
    what: 'filters and orders by hidden fields',
    file: 'src/graphql/guards/guards.ts',
    from: 'if (context.identity.rights) requireShown',
    to: 'if (context.identity.rights === null) requireShown',
    noticedBy: 'test/access/hidden-fields.test.ts',
  },
  {
    what: 'conditions on groups by hidden fields',
    file: 'src/features/aggregates/schema/aggregate-fields.ts',
    from: 'if (rights && having)',
    to: 'if (rights === null && having)',
    noticedBy: 'test/access/rules-elsewhere.test.ts',
  },
  {
    what: 'values for hidden fields',
    file: 'src/change/writes/requested-write.ts',
    from: 'const given = identity.rights ?',
    to: 'const given = identity.rights === null ?',
    noticedBy: 'test/access/hidden-fields.test.ts',
  },
  {
    what: 'stored answers',
    file: 'src/features/idempotency/run-idempotently.ts',
    from: 'if (rights !== identity.rights?.digest)',
    to: 'if (rights === null)',
    noticedBy: 'test/access/rules-elsewhere.test.ts',
  },
  {
    what: 'the actions of a record',
    file: 'src/graphql/types/record-interfaces.ts',
    from: 'if (!rights) return undefined;',
    to: 'if (rights !== null) return undefined;',
    noticedBy: 'test/access/explain',
  },
  {
    what: 'what the viewer may do',
    file: 'src/graphql/fields/viewer.ts',
    from: 'if (!rights) return true;',
    to: 'if (rights !== null) return true;',
    noticedBy: 'test/access/roles-of-keys.test.ts',
  },
  {
    what: 'explanations of hidden fields',
    file: 'src/features/people/explain/explain-access.ts',
    from: 'if (who.rights) withoutHidden',
    to: 'if (who.rights === null) withoutHidden',
    noticedBy: 'test/access/explain',
  },
];

const wanted = process.argv.slice(2);
const chosen = broken.filter(({ what }) => wanted.length === 0 || wanted.some((word) => what.includes(word)));
const copy = mkdtempSync(join(tmpdir(), 'broken-rules-'));
const isCopied = (path: string) => !['node_modules', '.git', 'dist'].includes(basename(path));
cpSync('.', copy, { recursive: true, filter: isCopied });
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));

const isFile = (noticedBy: string): boolean => noticedBy.includes('/');

/** Whether these tests fail, or so many operations of these kinds find a difference. */
function isNoticed({ noticedBy }: Pick<Broken, 'noticedBy'>): boolean {
  if (isFile(noticedBy)) return fails(noticedBy);
  const finds = (seed: number) =>
    fails('test/access/two-worlds', {
      TWO_WORLDS: '500',
      TWO_WORLDS_SEED: String(seed),
      TWO_WORLDS_ONLY: noticedBy,
    });
  // Operations are random, and what they find seldom has a test that always finds it.
  return [1, 2].some(finds) || fails(rulesOfWrites);
}

function fails(file: string, settings: Record<string, string> = {}): boolean {
  const words = ['vitest', 'run', file, '--bail=1', '--testNamePattern=^(?!.*postgresql)'];
  return spawnSync('npx', words, { cwd: copy, env: { ...process.env, ...settings }, stdio: 'ignore' }).status !== 0;
}

let missed = 0;
for (const noticedBy of new Set(['one,create', ...chosen.map((each) => each.noticedBy).filter(isFile)]))
  if (isNoticed({ noticedBy })) throw new Error(`${noticedBy} fails although nothing is left out`);
for (const [place, each] of chosen.entries()) {
  const path = join(copy, each.file);
  const source = readFileSync(path, 'utf8');
  if (!source.includes(each.from)) throw new Error(`${each.file} does not say \`${each.from}\` any more`);
  writeFileSync(
    path,
    source.replace(each.from, () => each.to),
  );
  const noticed = isNoticed(each);
  writeFileSync(path, source);
  if (!noticed) missed++;
  console.log(`${noticed ? '✓' : '✗'} ${place + 1} of ${chosen.length}: without ${each.what}`);
}
rmSync(copy, { recursive: true });
console.log(missed === 0 ? 'Each was noticed.' : `${missed} were not noticed.`);
process.exit(missed === 0 ? 0 : 1);
