-- CreateTable
CREATE TABLE "ApiUse" (
    "keyId" TEXT NOT NULL,
    "surface" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "userAgent" TEXT NOT NULL,
    "calls" BIGINT NOT NULL,
    "firstAt" BIGINT NOT NULL,
    "lastAt" BIGINT NOT NULL,

    PRIMARY KEY ("keyId", "surface", "name", "userAgent")
);

-- CreateIndex
CREATE INDEX "ApiUse_lastAt_idx" ON "ApiUse"("lastAt");
