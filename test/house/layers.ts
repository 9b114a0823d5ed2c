/**
 * The parts of the code from top to bottom. A part imports from itself and from the parts in lines below it, never from a
 * part in the same line. The README shows this list: `npm run readme` writes it there.
 */
export const layers: string[][] = [
  ['src/main.ts', 'src/build/'],
  ['src/commands/'],
  ['src/start/', 'src/backup/', 'src/transfer/'],
  ['src/gateway.ts', 'src/check/', 'src/metrics/'],
  ['rest/', 'src/pages/'],
  ['src/http/'],
  ['src/live/'],
  ['src/execution/'],
  ['src/compiled/'],
  ['src/operation/'],
  ['src/schema/'],
  ['src/deprecation/', 'src/usage/', 'src/webhooks/'],
  ['src/access/', 'src/idempotency/', 'src/limits/', 'src/shown-errors/'],
  ['src/records/'],
  ['src/context.ts'],
  ['src/journal/'],
  ['src/model/', 'src/database/'],
  [
    'src/bytes.ts',
    'src/catalogue.ts',
    'src/errors.ts',
    'src/fragments.ts',
    'src/is-object.ts',
    'src/log.ts',
    'src/nearest.ts',
    'src/observation.ts',
    'src/seal.ts',
    'src/weighed-cache.ts',
    'src/maybe-promise.ts',
    'src/work.ts',
  ],
  ['src/config.ts', 'src/output.ts'],
  ['src/translation/', 'src/generated/', 'src/network.ts'],
];
