/** Makes `docs/contract.md` from the clauses and the files of their tests. */
import { type Clause, clauses, holds } from './clauses.js';
import { documentedResources } from './document.js';
import { documentedFields } from './documented-fields.js';
import { decidedEndpoints, documentedEndpoints } from './endpoints.js';

/** The page as Markdown. `fileOf` names the file whose tests show a clause. */
export function contractPage(fileOf: (id: string) => string): string {
  const fields = documentedResources.flatMap((resource) => documentedFields(resource));
  return `# The contract, clause by clause

For those who check the gateway against the document of the REST service: every clause, what the gateway does, and the
test that shows it. If the document says "not shown", the second column names what it leaves open, and the third what was
decided. Ids never change. Each test runs against a gateway over HTTP, on SQLite and on PostgreSQL.

This page is generated from [clauses.ts](../test/contract/clauses.ts) by
[clauses.test.ts](../test/contract/clauses.test.ts), which fails if it is out of date;
\`npx vitest run test/contract/clauses.test.ts -u\` writes it.

Other tests of the document:

| what | where |
|---|---|
| each of the ${documentedEndpoints.length} documented endpoints, and of the ${decidedEndpoints.length} added ones, is called | ${link('endpoints.test.ts')} |
| each of the ${fields.length} fields, written through REST and through GraphQL, by create and by update, is read the same through both | ${link('fields.test.ts')} |
| each field left out, missing, defaulted and cleared with null, on both surfaces | ${link('fields.test.ts')} |
| the models have these fields, types and defaults | ${link('model.test.ts')} |

| id | the document | what the gateway does | test |
|---|---|---|---|
${clauses.map((clause) => row(clause, fileOf(clause.id))).join('\n')}
`;
}

function row(clause: Clause, file: string): string {
  const statement = clause.decision ? `§${clause.clause} ${clause.says}` : `§${clause.clause}`;
  return `| ${[clause.id, statement, holds(clause), link(file)].map(escaped).join(' | ')} |`;
}

const link = (file: string): string => `[${file}](../test/contract/${file})`;

const escaped = (text: string): string => text.replaceAll('|', '\\|');
