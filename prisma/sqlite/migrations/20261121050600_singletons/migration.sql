-- The two records that are always there, with their defaults (document 4.4; decision: singletons).
INSERT INTO "CurrencyExchangeSettings" ("id", "createdAt", "updatedAt")
VALUES ('currency-exchange-settings_default', strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'));

INSERT INTO "SubscriptionSettings" ("id", "createdAt", "updatedAt")
VALUES ('subscription-settings_default', strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'), strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'));
