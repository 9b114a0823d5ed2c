import type { MaybePromise } from '../../common/maybe-promise.js';
import { answeredBySql } from '../answered-by-sql.js';
import { perBuilder } from '../builder.js';

/** The values of `PageInfo`. */
interface Place {
  hasNextPage(): MaybePromise<boolean>;
  hasPreviousPage(): MaybePromise<boolean>;
  startCursor(): MaybePromise<string | null>;
  endCursor(): MaybePromise<string | null>;
}

export const pageInfo = perBuilder((builder) =>
  builder.objectRef<Place>('PageInfo').implement({
    description:
      'Where a page stands in its list, as `pageInfo` shows it. A page has its records as `nodes`, or as `edges`, each with the record as `node` and its place as `cursor`, for `after` and `before`. `totalCount` says how many records the whole list has; they are counted only when it is asked for.',
    fields: (t) => ({
      hasNextPage: t.boolean({
        extensions: answeredBySql({ kind: 'pageInfo', part: 'hasNextPage' }),
        description: 'Whether records follow.',
        resolve: (page) => page.hasNextPage(),
      }),
      hasPreviousPage: t.boolean({
        extensions: answeredBySql({ kind: 'pageInfo', part: 'hasPreviousPage' }),
        description: 'Whether records go before.',
        resolve: (page) => page.hasPreviousPage(),
      }),
      startCursor: t.string({
        nullable: true,
        extensions: answeredBySql({ kind: 'pageInfo', part: 'startCursor' }),
        description: 'Cursor of the first record; null on an empty page.',
        resolve: (page) => page.startCursor(),
      }),
      endCursor: t.string({
        nullable: true,
        extensions: answeredBySql({ kind: 'pageInfo', part: 'endCursor' }),
        description: 'Cursor of the last record; null on an empty page.',
        resolve: (page) => page.endCursor(),
      }),
    }),
  }),
);
