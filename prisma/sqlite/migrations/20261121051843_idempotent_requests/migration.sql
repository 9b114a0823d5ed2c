-- CreateTable
CREATE TABLE "IdempotentRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "fingerprint" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "answer" BLOB
);

-- CreateIndex
CREATE INDEX "IdempotentRequest_createdAt_idx" ON "IdempotentRequest"("createdAt");
