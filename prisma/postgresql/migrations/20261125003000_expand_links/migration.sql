-- Texts that name records
DROP INDEX CONCURRENTLY IF EXISTS "gateway_SigningDocument_templateId";
CREATE INDEX CONCURRENTLY "gateway_SigningDocument_templateId" ON "SigningDocument"("templateId", "id")
  WHERE length("templateId") <= 255;

DROP INDEX CONCURRENTLY IF EXISTS "gateway_AssetRepairConsumedItem_serialNo";
CREATE INDEX CONCURRENTLY "gateway_AssetRepairConsumedItem_serialNo" ON "AssetRepairConsumedItem"("serialNo", "id")
  WHERE length("serialNo") <= 255;

DROP INDEX CONCURRENTLY IF EXISTS "gateway_SerialNo_serialNo";
CREATE INDEX CONCURRENTLY "gateway_SerialNo_serialNo" ON "SerialNo"("serialNo", "id")
  WHERE length("serialNo") <= 255;

DROP INDEX CONCURRENTLY IF EXISTS "gateway_AssetRepairConsumedItem_serialAndBatchBundle";
CREATE INDEX CONCURRENTLY "gateway_AssetRepairConsumedItem_serialAndBatchBundle" ON "AssetRepairConsumedItem"("serialAndBatchBundle", "id")
  WHERE length("serialAndBatchBundle") <= 255;

DROP INDEX CONCURRENTLY IF EXISTS "gateway_SubcontractingInwardOrderReceivedItem_referenceName";
CREATE INDEX CONCURRENTLY "gateway_SubcontractingInwardOrderReceivedItem_referenceName" ON "SubcontractingInwardOrderReceivedItem"("referenceName", "id")
  WHERE length("referenceName") <= 255;

DROP INDEX CONCURRENTLY IF EXISTS "gateway_SubcontractingInwardOrderSecondaryItem_referenceName";
CREATE INDEX CONCURRENTLY "gateway_SubcontractingInwardOrderSecondaryItem_referenceName" ON "SubcontractingInwardOrderSecondaryItem"("referenceName", "id")
  WHERE length("referenceName") <= 255;

DROP INDEX CONCURRENTLY IF EXISTS "gateway_JobCard_forJobCard";
CREATE INDEX CONCURRENTLY "gateway_JobCard_forJobCard" ON "JobCard"("forJobCard", "id")
  WHERE length("forJobCard") <= 255;

DROP INDEX CONCURRENTLY IF EXISTS "gateway_JobCard_serialNo";
CREATE INDEX CONCURRENTLY "gateway_JobCard_serialNo" ON "JobCard"("serialNo", "id")
  WHERE length("serialNo") <= 255;

DROP INDEX CONCURRENTLY IF EXISTS "gateway_JobCard_serialAndBatchBundle";
CREATE INDEX CONCURRENTLY "gateway_JobCard_serialAndBatchBundle" ON "JobCard"("serialAndBatchBundle", "id")
  WHERE length("serialAndBatchBundle") <= 255;
