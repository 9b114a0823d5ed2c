-- Every parent that has lines here and is not stored here has a row: without one nobody could lock it. Earlier versions
-- deleted the row together with the last line of one type, although the parent had lines of another type.
INSERT INTO "ForeignParent" ("id")
  SELECT "parentId" FROM "SalesInvoicePayment"
  UNION SELECT "parentId" FROM "JobCardTimeLog" WHERE "jobCardId" IS NULL
  ON CONFLICT ("id") DO NOTHING;
