-- CreateTable
CREATE TABLE "ImportProgress" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "lines" INTEGER NOT NULL,
    "imported" INTEGER NOT NULL,
    "unchanged" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "isFinished" BOOLEAN NOT NULL
);
