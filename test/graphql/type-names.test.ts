/** No type of the schema has the name of something that every program has already: what generators write would be taken for it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSpecifiedScalarType } from 'graphql';
import { expect, test } from 'vitest';
import { projectFolder } from '../../src/common/project.js';
import { schema } from '../support/schema.js';

const packages = join(projectFolder, 'node_modules/@typescript');
const declaration = /^\s*(?:declare )?(?:interface|type|class|var|const|function|namespace) (\w+)/gm;

/** What TypeScript declares of the language and of browsers. */
const ofTypeScript = readdirSync(packages)
  .flatMap((name) => readdirSync(join(packages, name, 'lib')).map((file) => join(packages, name, 'lib', file)))
  .filter((file) => /lib\.(es|dom)[^/]*\.d\.ts$/.test(file))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(declaration)].map(([, name = '']) => name));

/** What is imported without being asked for. */
const ofOthers = {
  Kotlin: `Any Annotation Array Boolean Byte Char Class ClassLoader Collection Comparable Comparator Deprecated Double Enum Error
    Exception Float Function Int Integer Iterable Iterator Lazy List Long Map Math Metadata Module ModuleLayer Nothing Number Object
    Package Pair Process ProcessBuilder ProcessHandle Record Regex Result Runnable Runtime Sequence Set Short StackWalker String
    StringBuffer StringBuilder System Thread ThreadGroup ThreadLocal Throwable Triple Unit Version Void`,
  Swift: `Any Array Bool Bundle Character Clock Codable Collection Comparable Data Date Decimal Dictionary Duration Error Event
    Hashable Host Identifiable Int Iterator Locale Measurement Mirror Never Notification Operation Optional Port Process Progress
    Range Result Scanner Sequence Set Stream String Substring Task Thread Timer TimeZone Unit URL UUID`,
  'C#': `Action Activator Array Attribute Barrier Boolean Buffer Byte Char Comparer Comparison Console Convert Converter DateOnly
    DateTime DateTimeKind DateTimeOffset DayOfWeek Decimal Delegate Dictionary Directory DirectoryInfo Double DriveInfo Enum
    Enumerable Environment EventArgs EventHandler Exception File FileAccess FileAttributes FileInfo FileMode FileOptions FileShare
    Func Guid Half HashCode HashSet HttpClient HttpContent HttpMethod Index KeyValuePair Lazy LinkedList List Lock Lookup Math Memory
    Monitor Mutex Nullable Object OperatingSystem Parallel Path Predicate PriorityQueue Progress Queryable Queue Random Range
    SearchOption SeekOrigin Semaphore Single SortedList SortedSet Span Stack Stream String StringComparer StringComparison Task
    TaskStatus Thread ThreadPool ThreadState TimeOnly TimeProvider Timeout Timer TimeSpan TimeZone TimeZoneInfo Tuple Type TypeCode
    Uri UriKind ValueTask ValueTuple ValueType Version Volatile WeakReference`,
};

/**
 * `Node` is Relay's name for it, and a scalar has the type of another library in each language. `StringComparison` is how the
 * comparisons of all scalars are named; what is generated for C# stands in a namespace of its own, where it comes first, and
 * none of System's is called.
 */
const kept = ['Node', 'DateTime', 'StringComparison'];

test('no type is named like something global', () => {
  const global = new Set([...ofTypeScript, ...Object.values(ofOthers).flatMap((names) => names.split(/\s+/))]);
  expect(['Document', 'Node', 'Record'].every((name) => global.has(name))).toBe(true);
  const types = Object.values(schema.getTypeMap()).filter((type) => !isSpecifiedScalarType(type));
  expect(types.map(({ name }) => name).filter((name) => global.has(name) && !kept.includes(name))).toEqual([]);
});
