-- CreateTable
CREATE TABLE "ImportProgress" (
    "id" TEXT COLLATE "C" NOT NULL,
    "lines" INTEGER NOT NULL,
    "imported" INTEGER NOT NULL,
    "unchanged" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "isFinished" BOOLEAN NOT NULL,

    CONSTRAINT "ImportProgress_pkey" PRIMARY KEY ("id")
);
