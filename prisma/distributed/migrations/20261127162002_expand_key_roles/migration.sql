-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN     "claims" TEXT COLLATE "C",
ADD COLUMN     "roles" TEXT COLLATE "C";
