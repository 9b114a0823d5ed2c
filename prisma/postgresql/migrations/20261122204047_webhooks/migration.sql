-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "types" TEXT COLLATE "C" NOT NULL,
    "actions" TEXT COLLATE "C" NOT NULL,
    "selection" TEXT COLLATE "C",
    "keyId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "overlapUntil" TIMESTAMP(3),
    "position" BIGINT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failingSince" TIMESTAMP(3),
    "disabledAt" TIMESTAMP(3),
    "disabledReason" TEXT COLLATE "C",

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT COLLATE "C" NOT NULL,
    "webhookId" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT,
    "document" TEXT COLLATE "C" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "firstFailedAt" TIMESTAMP(3),
    "nextAttemptAt" TIMESTAMP(3) NOT NULL,
    "requestedAt" TIMESTAMP(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookAttempt" (
    "id" TEXT COLLATE "C" NOT NULL,
    "webhookId" TEXT COLLATE "C" NOT NULL,
    "messageId" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT,
    "at" TIMESTAMP(3) NOT NULL,
    "status" INTEGER,
    "failure" TEXT COLLATE "C",
    "milliseconds" INTEGER NOT NULL,

    CONSTRAINT "WebhookAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookLease" (
    "id" TEXT COLLATE "C" NOT NULL,
    "holder" TEXT COLLATE "C" NOT NULL,
    "expiresAt" BIGINT NOT NULL,

    CONSTRAINT "WebhookLease_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_position_idx" ON "WebhookDelivery"("webhookId", "position");

-- CreateIndex
CREATE INDEX "WebhookDelivery_requestedAt_idx" ON "WebhookDelivery"("requestedAt");

-- CreateIndex
CREATE INDEX "WebhookAttempt_webhookId_id_idx" ON "WebhookAttempt"("webhookId", "id");
