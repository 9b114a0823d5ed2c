-- CreateTable
CREATE TABLE "RateWindow" (
    "keyId" TEXT NOT NULL PRIMARY KEY,
    "minute" INTEGER NOT NULL,
    "used" INTEGER NOT NULL
);
