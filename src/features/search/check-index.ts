/**
 * The search index has the words of the stored texts. It is not checked while it is turned off or not complete, nor if an
 * earlier version has made it: the next start makes it anew where its words differ.
 */

import { withDatabase } from '../../cli/work.js';
import { counted } from '../../common/output.js';
import { type Inspection, mostPlaces } from '../../database/inspection.js';
import type { Check } from '../../gateway/feature.js';
import type { Resource } from '../../model/resource.js';
import { formOfWords } from '../../model/words.js';
import { afterPrefix } from '../../query/filter.js';
import { forgetIndexed, indexExisting } from './index/index-existing.js';
import { isSearched, noWords, searchedFields, sourcesOf, storedWords } from './searched-fields.js';

export const searchIndex: Check = {
  holds: 'the search index has the words of all texts, and no others',
  problems: async (inspection, resources) => {
    const found: string[] = [];
    for (const resource of await indexedTypes(inspection, resources)) {
      found.push(...(await wordProblems(inspection, resource)));
      found.push(...(await textProblems(inspection, resource)));
    }
    return found;
  },
  mend: (databaseUrl, resources) =>
    withDatabase({ databaseUrl }, async (database) => {
      for (const resource of resources) await database.perform(() => forgetIndexed(resource));
      await indexExisting(database, resources);
    }),
};

async function indexedTypes({ rows }: Inspection, resources: readonly Resource[]): Promise<Resource[]> {
  const complete = new Set(
    (await rows(`SELECT "model" FROM "SearchState" WHERE "isComplete" = TRUE AND "form" = ${formOfWords}`)).map(
      ([model]) => model,
    ),
  );
  return resources.filter((resource) => isSearched(resource) && complete.has(resource.model));
}

/** Compares the words in the index, which triggers have written, with those of the texts. */
async function wordProblems({ rows, provider }: Inspection, { model }: Resource): Promise<string[]> {
  const json = provider === 'sqlite' ? '"words"' : '"words"::json';
  const [row] = await rows(
    `SELECT (SELECT count(*) FROM "SearchWord" WHERE "model" = '${model}'),
       (SELECT coalesce(sum(json_array_length(${json})), 0) FROM "SearchText" WHERE "model" = '${model}')`,
  );
  const [words, wanted] = [Number(row?.[0]), Number(row?.[1])];
  return words === wanted ? [] : [`The index has ${counted(words, 'word')} of ${model}; the texts have ${wanted}`];
}

/** The number of documents compared at once. */
const batch = 200;

async function textProblems({ rows, provider }: Inspection, resource: Resource): Promise<string[]> {
  const found: string[] = [];
  const bound = provider === 'sqlite' ? ['?', '?'] : ['$1', '$2'];
  const prefix = `${resource.slug}_`;
  for (let after = prefix, isLast = false; !isLast && found.length < mostPlaces; ) {
    const ids = (
      await rows(`SELECT "id" FROM "${resource.model}" WHERE "id" > ${bound[0]} ORDER BY "id" LIMIT ${batch}`, [after])
    ).map(([id]) => String(id));
    isLast = ids.length === 0;
    // After the last document there may still be words of deleted documents.
    const last = ids.at(-1) ?? afterPrefix(prefix) ?? '';
    const range = (column: string) => `"${column}" > ${bound[0]} AND "${column}" <= ${bound[1]}`;
    const wanted = new Map<string, string>();
    for (const { type, isLine, reference } of sourcesOf(resource)) {
      const names = searchedFields(type);
      const columns = ['id', reference, ...names].map((name) => `"${name}"`).join(', ');
      for (const [id, documentId, ...texts] of await rows(
        `SELECT ${columns} FROM "${type.model}" WHERE ${range(reference)}`,
        [after, last],
      )) {
        const values = Object.fromEntries(names.map((name, place) => [name, texts[place]]));
        wanted.set(`${documentId} ${isLine ? id : ''}`, storedWords(type, values));
      }
    }
    for (const [documentId, recordId, words] of await rows(
      `SELECT "documentId", "recordId", "words" FROM "SearchText" WHERE ${range('documentId')}`,
      [after, last],
    )) {
      const key = `${documentId} ${recordId}`;
      if (wanted.get(key) === words) wanted.delete(key);
      else wanted.set(key, 'other words');
    }
    for (const [key, words] of wanted) {
      if (words !== noWords)
        found.push(`The index has other words of ${key.trim().replace(' ', ', line ')} than its texts`);
    }
    after = last;
  }
  return found.slice(0, mostPlaces);
}
