-- AlterTable
ALTER TABLE "JournalState" ADD COLUMN     "keptAt" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "place" TEXT COLLATE "C";
