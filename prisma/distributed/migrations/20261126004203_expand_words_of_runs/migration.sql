-- AlterTable
ALTER TABLE "SearchState" ADD COLUMN     "form" INTEGER NOT NULL DEFAULT 1;
