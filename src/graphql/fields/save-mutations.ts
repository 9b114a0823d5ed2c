/** `saveAssetRepair`: saves a record as a form holds it, with its lines where it has any, in one transaction. */

import { saveRecord } from '../../change/writes/save.js';
import { withArticle } from '../../model/names.js';
import type { Resource } from '../../model/resource.js';
import { requiredScopes, requireScopes } from '../../model/scopes.js';
import { answeredBySql } from '../answered-by-sql.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { saveInput } from '../inputs/inputs.js';
import { payloadOf } from '../types/payload.js';
import { idAmong, ownIdArgument } from './mutations.js';
import { recordSelected } from './write-and-select.js';

export function addSaves(builder: Builder, resources: readonly Resource[]): void {
  // Lines are saved with their record.
  for (const resource of resources) if (resource.kind !== 'child') addSave(builder, resource);
}

function addSave(builder: Builder, resource: Resource): void {
  const [lines] = resource.lines;
  const input = saveInput(builder, resource);
  builder.mutationField(`save${resource.model}`, (t) =>
    t.field({
      type: payloadOf(builder, resource),
      nullable: true,
      ...withAccess(
        { resource, operation: 'update' },
        answeredBySql({ kind: 'write', resource, operation: 'save', onlyWith: { validateOnly: false } }, [
          'id',
          'input',
          'expectedVersion',
        ]),
      ),
      description:
        `Saves ${withArticle(resource.title)} as a form holds it` +
        (lines
          ? ', all or nothing: the fields given, and of each list given exactly the lines given, in that order. ' +
            'All problems are reported at once, each with its place, `input.' +
            `${lines.field}[2].id\`.`
          : ': the fields given. All problems are reported at once.') +
        ' Raises the version once, or not at all if nothing differs.',
      args: {
        ...ownIdArgument(builder, resource),
        input: t.arg({ type: input, required: true }),
        validateOnly: t.arg.boolean({ required: true, defaultValue: false }),
      },
      resolve: (_, { id, expectedVersion, validateOnly, ...args }, context, info) => {
        const beforeDeleting = () => requireScopes(context.identity, requiredScopes(resource, 'delete'));
        const request = { id: idAmong(resource, id), ...args, version: expectedVersion, validateOnly, beforeDeleting };
        return saveRecord(context, resource, request, recordSelected(context, info, resource));
      },
    }),
  );
}
