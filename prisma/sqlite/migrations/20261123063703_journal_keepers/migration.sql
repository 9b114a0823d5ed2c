-- AlterTable
ALTER TABLE "JournalState" ADD COLUMN "keptAt" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "JournalState" ADD COLUMN "place" TEXT;
