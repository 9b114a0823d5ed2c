export { blockSize, blocksSql } from '../../src/features/check/counts.js';

/** How a database maintains its blocks. */
export interface Blocks {
  /** The statement that lists the tables which already have blocks. */
  kept: string;
  /** SQL that all tables share. */
  common: string;
  /** The SQL of one table: its triggers, and blocks for its existing records. */
  of(model: string): string;
}

/**
 * The records that stay in the open block when it is cut, so that records with slightly older ids still belong to it.
 */
export const margin = 1024;
