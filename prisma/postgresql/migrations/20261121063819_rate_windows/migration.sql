-- CreateTable
CREATE TABLE "RateWindow" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "minute" INTEGER NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "RateWindow_pkey" PRIMARY KEY ("keyId")
);
