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
  /** The kinds of operations that are to notice. */
  kinds: string;
}

const reads = 'list,plainList,one,nodes,lines,aggregate,entities,restRead';
const writes = 'one,create,update,save,move,remove,reorder,many,restWrite';

const broken: Broken[] = [
  {
    what: 'reads by compiled SQL',
    file: 'src/gateway/http/deadline.ts',
    from: 'if (!limit) return (sql',
    to: 'if (limit !== null) return (sql',
    kinds: reads,
  },
  {
    what: 'reads by Prisma',
    file: 'src/database/prisma-adapter.ts',
    from: 'if (!limited) return',
    to: 'if (limited !== null) return',
    kinds: reads,
  },
  {
    what: 'rows of documents',
    file: 'src/query/table-views.ts',
    from: 'return isEverything(rule) ? {} : {',
    to: "return resource.model !== 'UOMCategory' ? {} : {",
    kinds: reads,
  },
  {
    what: 'lines by their document',
    file: 'src/query/table-views.ts',
    from: 'if (reads.length === 0 &&',
    to: 'if (reads.length >= 0 ||',
    kinds: reads,
  },
  {
    what: 'lines without a document here',
    file: 'src/query/table-views.ts',
    from: "rights.rule(line, 'read')",
    to: "{ kind: 'and', of: [] }",
    kinds: 'lines,one,nodes',
  },
  {
    what: 'hidden fields',
    file: 'src/query/table-views.ts',
    from: 'const hidden = rights.hidden(resource);',
    to: 'const hidden = new Set<string>();',
    kinds: reads,
  },
  {
    what: 'totals',
    file: 'src/query/table-views.ts',
    from: 'if (counted.length > 0)',
    to: 'if (counted.length > 1e9)',
    kinds: 'plainList,list',
  },
  {
    what: 'one record that is changed',
    file: 'src/change/statements/conditions.ts',
    from: '  if (!allowed) return conditions;',
    to: '  if (allowed !== null) return conditions;',
    kinds: writes,
  },
  {
    what: 'many records that are changed',
    file: 'src/change/statements/conditions.ts',
    from: '  if (!allowed) return [];',
    to: '  if (allowed !== null) return [];',
    kinds: 'many,one',
  },
  {
    what: 'records that are deleted',
    file: 'src/change/statements/conditions.ts',
    from: 'if (allowed) conditions.push(...allowedSql(text, resource, allowed));',
    to: '',
    kinds: 'remove,many,one',
  },
  {
    what: 'new records',
    file: 'src/change/limit-plan.ts',
    from: 'if (!isEverything(rule) && !rows',
    to: 'if (isEverything(rule) && !rows',
    kinds: 'create,restWrite,list',
  },
  {
    what: 'why nothing was changed: whether it is seen',
    file: 'src/change/refusals.ts',
    from: '|| (allowed && !matches(allowed.seen',
    to: '|| (allowed && 1 > 2 && !matches(allowed.seen',
    kinds: writes,
  },
  {
    what: 'documents that a save leaves as they are',
    file: 'src/change/apply-plan.ts',
    from: 'if (step.allowed && !(yield*',
    to: 'if (step.allowed && 1 > 2 && !(yield*',
    kinds: 'save,update,reorder',
  },
  {
    what: 'lines that are changed',
    file: 'src/change/limit-plan.ts',
    from: "case 'raise':\n    case 'lock':",
    to: "case 'lock':",
    kinds: writes,
  },
  {
    what: 'which line is meant',
    file: 'src/change/writes/line.ts',
    from: 'if (!standing || !(yield* isSeen(writing, resource, id)))',
    to: 'if (!standing)',
    kinds: 'update,remove',
  },
  {
    what: 'lines that are put into order',
    file: 'src/change/writes/line.ts',
    from: 'if (!parent || (yield* isHidden(writing, resource, parentId))) {',
    to: 'if (!parent) {',
    kinds: 'reorder',
  },
  {
    what: 'previews',
    file: 'src/change/writes/preview.ts',
    from: 'if (!(yield* isSeen(',
    to: 'if (1 > 2 && !(yield* isSeen(',
    kinds: 'preview',
  },
  {
    what: 'answers of compiled writes',
    file: 'src/change/compiled/writes.ts',
    from: 'writing.limits ? reading &&',
    to: 'writing.limits === null ? reading &&',
    kinds: writes,
  },
];

const wanted = process.argv.slice(2);
const chosen = broken.filter(({ what }) => wanted.length === 0 || wanted.some((word) => what.includes(word)));
const copy = mkdtempSync(join(tmpdir(), 'broken-rules-'));
const isCopied = (path: string) => !['node_modules', '.git', 'dist'].includes(basename(path));
cpSync('.', copy, { recursive: true, filter: isCopied });
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));

/** Whether so many operations of these kinds find a difference; in several runs, because they are random. */
function isNoticed({ kinds }: Broken): boolean {
  return [1, 2, 3].some((seed) => {
    const env = { ...process.env, TWO_WORLDS: '500', TWO_WORLDS_SEED: String(seed), TWO_WORLDS_ONLY: kinds };
    const words = ['vitest', 'run', 'test/access/two-worlds', 'test/access/rules-', '-t', 'sqlite'];
    return spawnSync('npx', words, { cwd: copy, env, stdio: 'ignore' }).status !== 0;
  });
}

let missed = 0;
const whole = { what: 'nothing', file: '', from: '', to: '', kinds: 'one,create' };
if (isNoticed(whole)) throw new Error('The two worlds answer differently although nothing is left out');
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
