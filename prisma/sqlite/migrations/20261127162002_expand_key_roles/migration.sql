-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN "claims" TEXT;
ALTER TABLE "ApiKey" ADD COLUMN "roles" TEXT;
