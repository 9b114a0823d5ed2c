/**
 * Imports that run against the order of the wings, or from one feature to another: each is a thread by which a feature is
 * still woven into the trunk, or a part that stands too high. The list only gets shorter; what is not in it is refused.
 */
export const woven: Record<string, string[]> = {
  'src/change/apply-plan.ts': ['src/features/search/index/index-plan.ts'],
  'src/change/compiled/compile-write.ts': [
    'src/graphql/answered-by-sql.ts',
    'src/graphql/guards/guard-scopes.ts',
    'src/graphql/guards/value-problem.ts',
    'src/graphql/inputs/filters.ts',
    'src/graphql/operation/admission.ts',
  ],
  'src/change/compiled/compiled-mutation.ts': ['src/graphql/answered-by-sql.ts'],
  'src/change/compiled/inserted-json.ts': ['src/graphql/answered-by-sql.ts'],
  'src/change/compiled/payload-json.ts': ['src/graphql/shown-errors/user-errors.ts'],
  'src/change/compiled/writes.ts': [
    'src/graphql/answered-by-sql.ts',
    'src/graphql/guards/guard-scopes.ts',
    'src/graphql/operation/admission.ts',
    'src/graphql/shown-errors/user-errors.ts',
  ],
  'src/features/backup/make-backup.ts': ['src/features/check/check-database.ts', 'src/features/check/integrity.ts'],
  'src/features/backup/restore-backup.ts': ['src/features/webhooks/delivery/announce-restored.ts'],
  'src/features/check/check-database.ts': ['src/features/search/index/index-existing.ts'],
  'src/features/check/search-index.ts': ['src/features/search/searched-fields.ts'],
  'src/features/pages/app/docs/translate.ts': [
    'src/features/translation/call.ts',
    'src/features/translation/curl-line.ts',
    'src/features/translation/rest-twin.ts',
    'src/features/translation/snippets.ts',
  ],
  'src/features/transfer/import-command.ts': ['src/features/translation/shell-words.ts'],
  'src/features/translation/translate-text.ts': ['src/features/pages/make-about.ts'],
  'src/features/usage/report.ts': ['src/features/keys/api-keys.ts'],
  'src/features/usage/schema/usage-fields.ts': ['src/features/keys/schema/api-key-types.ts'],
  'src/gateway/gateway.ts': [
    'rest/create-rest.ts',
    'rest/description/files.ts',
    'rest/errors.ts',
    'rest/operations.ts',
  ],
  'src/gateway/start/serve-here.ts': ['rest/operations.ts'],
  'src/model/scopes.ts': ['src/change/context.ts'],
  'src/query/compiled/arguments.ts': [
    'src/graphql/guards/guard-arguments.ts',
    'src/graphql/guards/value-problem.ts',
    'src/graphql/inputs/filters.ts',
  ],
  'src/query/compiled/compile.ts': ['src/graphql/operation/admission.ts'],
  'src/query/compiled/described-fields.ts': ['src/graphql/answered-by-sql.ts', 'src/graphql/guards/guard-scopes.ts'],
  'src/query/compiled/node-fields.ts': ['src/graphql/answered-by-sql.ts'],
  'src/query/compiled/reads.ts': [
    'src/change/compiled/compile-write.ts',
    'src/change/context.ts',
    'src/graphql/operation/admission.ts',
  ],
  'src/query/compiled/variables.ts': ['src/graphql/operation/admission.ts'],
  'src/query/page.ts': ['src/change/context.ts'],
  'src/query/read.ts': ['src/change/context.ts'],
  'src/query/sql/record-form.ts': ['src/graphql/answered-by-sql.ts'],
  'src/query/sql/record-object.ts': ['src/graphql/answered-by-sql.ts'],
};
