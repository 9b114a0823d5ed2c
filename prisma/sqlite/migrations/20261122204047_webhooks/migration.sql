-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT NOT NULL,
    "actions" TEXT NOT NULL,
    "selection" TEXT,
    "keyId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "fingerprint" TEXT NOT NULL,
    "overlapUntil" DATETIME,
    "position" BIGINT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failingSince" DATETIME,
    "disabledAt" DATETIME,
    "disabledReason" TEXT
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "webhookId" TEXT NOT NULL,
    "position" BIGINT,
    "document" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "firstFailedAt" DATETIME,
    "nextAttemptAt" DATETIME NOT NULL,
    "requestedAt" DATETIME
);

-- CreateTable
CREATE TABLE "WebhookAttempt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "webhookId" TEXT NOT NULL,
    "messageId" TEXT NOT NULL,
    "position" BIGINT,
    "at" DATETIME NOT NULL,
    "status" INTEGER,
    "failure" TEXT,
    "milliseconds" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "WebhookLease" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "expiresAt" BIGINT NOT NULL
);

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_position_idx" ON "WebhookDelivery"("webhookId", "position");

-- CreateIndex
CREATE INDEX "WebhookDelivery_requestedAt_idx" ON "WebhookDelivery"("requestedAt");

-- CreateIndex
CREATE INDEX "WebhookAttempt_webhookId_id_idx" ON "WebhookAttempt"("webhookId", "id");
