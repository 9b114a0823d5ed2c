-- Texts that name records
CREATE INDEX "gateway_SigningDocument_templateId" ON "SigningDocument"("templateId", "id")
  WHERE length("templateId") <= 255;

CREATE INDEX "gateway_AssetRepairConsumedItem_serialNo" ON "AssetRepairConsumedItem"("serialNo", "id")
  WHERE length("serialNo") <= 255;

CREATE INDEX "gateway_SerialNo_serialNo" ON "SerialNo"("serialNo", "id")
  WHERE length("serialNo") <= 255;

CREATE INDEX "gateway_AssetRepairConsumedItem_serialAndBatchBundle" ON "AssetRepairConsumedItem"("serialAndBatchBundle", "id")
  WHERE length("serialAndBatchBundle") <= 255;

CREATE INDEX "gateway_SubcontractingInwardOrderReceivedItem_referenceName" ON "SubcontractingInwardOrderReceivedItem"("referenceName", "id")
  WHERE length("referenceName") <= 255;

CREATE INDEX "gateway_SubcontractingInwardOrderSecondaryItem_referenceName" ON "SubcontractingInwardOrderSecondaryItem"("referenceName", "id")
  WHERE length("referenceName") <= 255;

CREATE INDEX "gateway_JobCard_forJobCard" ON "JobCard"("forJobCard", "id")
  WHERE length("forJobCard") <= 255;

CREATE INDEX "gateway_JobCard_serialNo" ON "JobCard"("serialNo", "id")
  WHERE length("serialNo") <= 255;

CREATE INDEX "gateway_JobCard_serialAndBatchBundle" ON "JobCard"("serialAndBatchBundle", "id")
  WHERE length("serialAndBatchBundle") <= 255;
