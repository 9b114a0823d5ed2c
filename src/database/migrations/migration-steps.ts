/**
 * What a version of the gateway learns from the name of a migration that it does not know. An expansion only adds what
 * that version does not use. A contraction takes away what an expansion has replaced, and names the expansion by its
 * time: a version that knows the expansion does not use what is taken away.
 */
const expansion = /^\d{14}_expand_\w+$/;
const contraction = /^\d{14}_contract_(\d{14})_\w+$/;

export type MigrationStep = { kind: 'expand' } | { kind: 'contract'; completes: string };

/** What the migration of this name does; undefined for a migration from before this convention of names. */
export function stepOf(name: string): MigrationStep | undefined {
  if (expansion.test(name)) return { kind: 'expand' };
  const completes = contraction.exec(name)?.[1];
  return completes === undefined ? undefined : { kind: 'contract', completes };
}

/** Whether a version with the migrations `known` works on a database that also has the migration `name`. */
export function suits(name: string, known: readonly string[]): boolean {
  const step = stepOf(name);
  if (step?.kind !== 'contract') return step !== undefined;
  return known.some((each) => each.startsWith(`${step.completes}_`));
}

/** Whether a migration runs outside of a transaction, as PostgreSQL builds an index beside writers. */
export const isConcurrent = (sql: string): boolean => /\bCONCURRENTLY\b/i.test(sql.replace(/--.*/g, ''));
