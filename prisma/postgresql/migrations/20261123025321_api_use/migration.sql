-- CreateTable
CREATE TABLE "ApiUse" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "surface" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "userAgent" TEXT COLLATE "C" NOT NULL,
    "calls" BIGINT NOT NULL,
    "firstAt" BIGINT NOT NULL,
    "lastAt" BIGINT NOT NULL,

    CONSTRAINT "ApiUse_pkey" PRIMARY KEY ("keyId","surface","name","userAgent")
);

-- CreateIndex
CREATE INDEX "ApiUse_lastAt_idx" ON "ApiUse"("lastAt");
