/** Code that leaves out a guard does not compile: each program here is compiled, and so is one with all guards. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder } from '../../src/common/project.js';

/** A program, and the expected error of the compiler, if any. */
const programs: Record<string, [body: string, error: RegExp | undefined]> = {
  'what was admitted, by a key that was let in': [
    'return execute(admission.fromRequest({}, false), context);',
    undefined,
  ],
  'what the gateway keeps of its own': ['return execute(admission.fromStored(stored, {}), context);', undefined],
  'a document that nobody has admitted': ['return execute(document, context);', /type 'AdmittedOperation'/],
  'an object with all that an operation shows': [
    "return execute({ document, definition, variables: {}, cost, problems: [], kind: 'query', name: undefined }, context);",
    /type 'AdmittedOperation'/,
  ],
  'a copy of an operation with other variables': [
    'return execute({ ...admission.fromRequest({}, false), variables: {} }, context);',
    /type 'AdmittedOperation'/,
  ],
  'a subscription in place of an operation': [
    'return execute(admission.subscriptionFromStored(stored, {}), context);',
    /type 'AdmittedOperation'/,
  ],
  'an operation without a context': ['return execute(admission.fromRequest({}, false));', /Expected 2 arguments/],
  'an operation with a context without a key': [
    'const { identity, ...nobody } = context; return execute(admission.fromRequest({}, false), nobody);',
    /'identity' is missing/,
  ],
  'an operation that is made elsewhere': [
    'return new admitted.AdmittedOperation(document, definition, {}, {}, cost, []);',
    /'AdmittedOperation' does not exist/,
  ],
};

const folders = join(projectFolder, '.tmp');
let folder = '';
let told = '';

beforeAll(async () => {
  mkdirSync(folders, { recursive: true });
  folder = mkdtempSync(join(folders, 'guards-'));
  const source = (path: string) => JSON.stringify(`${relative(folder, join(projectFolder, 'src', path))}.js`);
  for (const [index, [body]] of Object.values(programs).entries()) {
    writeFileSync(
      join(folder, `program-${index}.ts`),
      `import type { DocumentNode, OperationDefinitionNode } from 'graphql';
       import type { RequestContext } from ${source('change/context')};
       import type { Execute } from ${source('gateway/execution/executor')};
       import type { CostReport } from ${source('graphql/limits/operation-cost')};
       import * as admitted from ${source('graphql/operation/admission')};
       import type { StoredDocument } from ${source('graphql/operation/documents')};
       export function run(
         execute: Execute, admission: admitted.Admission, stored: StoredDocument, context: RequestContext,
         document: DocumentNode, definition: OperationDefinitionNode, cost: CostReport,
       ): unknown { ${body} }\n`,
    );
  }
  const settings = {
    extends: join(projectFolder, 'tsconfig.json'),
    compilerOptions: { noUnusedParameters: false, noUnusedLocals: false },
    include: ['*.ts'],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  told = await compile();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(programs).map(([name, [, error]], index) => ({ name, error, index })))(
  '$name',
  ({ error, index }) => {
    const lines = told.split('\n').filter((line) => line.includes(`program-${index}.ts`));
    expect(lines).toEqual(error ? [expect.stringMatching(error)] : []);
  },
);

/** The output of the compiler for all programs; '' if there are no errors. */
async function compile(): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  const tsc = resolve('typescript/package.json').replace('package.json', 'bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false']);
    return '';
  } catch (error) {
    return typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : String(error);
  }
}
