/**
 * A Prisma generator that writes the whole datamodel (types, required flags, default values, relations, indexes,
 * descriptions) as one TypeScript module, which `src/model/` and the schema read. The datamodel inside the generated
 * client is incomplete, and the one from Pothos lacks default values.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import helper from '@prisma/generator-helper';

helper.generatorHandler({
  onManifest: () => ({ prettyName: 'Datamodel', defaultOutput: '../src/generated/datamodel.ts' }),
  onGenerate: async ({ dmmf, generator }) => {
    const file = generator.output?.value;
    if (!file) throw new Error('generator datamodel: set output in prisma/schema.prisma');
    const json = JSON.stringify(JSON.stringify(dmmf.datamodel));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `// Made by \`npm run generate\` from prisma/. Do not edit.
import type { DMMF } from '@prisma/generator-helper';

export const datamodel: DMMF.Datamodel = JSON.parse(${json});
`,
    );
  },
});
