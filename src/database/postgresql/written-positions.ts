import type { WalPosition } from './wal-position.js';

/**
 * The log positions that the reads of each key have to see. One is kept for as long as a standby may be behind; after
 * that, every read has to see it anyway.
 */
export interface WrittenPositions {
  raise(keyId: string, position: WalPosition): void;
  of(keyId: string): WalPosition;
}
