/** The same as for one type in `no-difference.slow.test.ts`, of every type: alone, with lines, as a line, and of which there is one. */
import { describe, expect, test } from 'vitest';
import type { Resource } from '../../src/model/resource.js';
import { stored } from '../compiled/random-record.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { footprint } from '../input/footprint.js';
import type { TestGateway } from '../support/gateway.js';
import { changes, type Made, make, pathOf, send, typesOfEachForm } from './writes-of-types.js';

/** Everything by which a change would show: each column of the record and its document, its ETag, the journal. */
async function seen(gateway: TestGateway, { resource, id, parent, siblings }: Made) {
  const rows = await Promise.all([
    stored(gateway, resource, id),
    ...siblings.map((row) => stored(gateway, resource, row.id)),
    parent && stored(gateway, parent.resource, parent.id),
  ]);
  const shown = async (of: Resource, which: string) => {
    const { status, text, headers } = await gateway.rest('GET', pathOf(of, which));
    return { status, text, etag: headers.get('etag') };
  };
  return {
    rows,
    shown: [await shown(resource, id), parent && (await shown(parent.resource, parent.id))],
    all: await footprint(gateway.database),
  };
}

describe.each([true, false])('compiled: %s', (compiled) => {
  onBothDatabases(
    (gateway, share) => {
      test.each(share(typesOfEachForm).map((each) => [each.model, each] as const))('%s', async (_, resource) => {
        const made = await make(gateway(), resource);
        const before = await seen(gateway(), made);
        expect(before.shown.map((each) => each?.status ?? 200)).toEqual([200, 200]);
        for (const [kind, write] of Object.entries(changes)) {
          const { version } = kind === 'save of its parent' ? (made.parent ?? made) : made;
          const call = write(made, kind.endsWith('of little') ? { isOther: false } : { isOther: false, version });
          if (!call) continue;
          const { status, text, body } = await send(gateway(), call);
          expect({ kind, status, errors: body.errors }, text).toEqual({ kind, status: 200 });
          expect({ kind, ...(await seen(gateway(), made)) }).toEqual({ kind, ...before });
        }
      });
    },
    { compiled },
  );
});
