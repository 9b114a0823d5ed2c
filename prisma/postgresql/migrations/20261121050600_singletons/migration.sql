-- The two records that are always there, with their defaults (document 4.4; decision: singletons).
INSERT INTO "CurrencyExchangeSettings" ("id", "createdAt", "updatedAt")
VALUES ('currency-exchange-settings_default', CURRENT_TIMESTAMP AT TIME ZONE 'UTC', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');

INSERT INTO "SubscriptionSettings" ("id", "createdAt", "updatedAt")
VALUES ('subscription-settings_default', CURRENT_TIMESTAMP AT TIME ZONE 'UTC', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
