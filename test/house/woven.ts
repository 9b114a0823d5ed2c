/**
 * Imports that run against the order of the wings, or from one feature to another: each is a thread by which a feature is
 * still woven into the trunk, or a part that stands too high. The list only gets shorter; what is not in it is refused.
 */
export const woven: Record<string, string[]> = {
  'src/change/apply-plan.ts': ['src/features/search/index/index-plan.ts'],
  'src/features/backup/restore-backup.ts': ['src/features/webhooks/delivery/announce-restored.ts'],
  'src/features/pages/app/docs/translate.ts': [
    'src/features/translation/call.ts',
    'src/features/translation/curl-line.ts',
    'src/features/translation/rest-twin.ts',
    'src/features/translation/snippets.ts',
  ],
  'src/features/transfer/index.ts': ['src/features/translation/shell-words.ts'],
  'src/features/translation/translate-text.ts': ['src/features/pages/make-about.ts'],
};
