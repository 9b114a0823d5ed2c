/** The two records of which there is exactly one (document 2.3, 4.4). */
import { describe, expect, test } from 'vitest';
import { onBothDatabases, onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';

onDatabaseInTurn(import.meta.filename, (gateway) => {
  test('are there from the start, with their defaults', async () => {
    const data = await ask(
      gateway(),
      `{
        subscriptionSettings { id gracePeriod cancelAfterGrace prorate }
        currencyExchangeSettings { id apiEndpoint serviceProvider url disabled useHttp accessKey details { id } results { id } }
      }`,
    );
    expect(data).toEqual({
      subscriptionSettings: {
        id: 'subscription-settings_default',
        gracePeriod: 1,
        cancelAfterGrace: false,
        prorate: true,
      },
      currencyExchangeSettings: {
        id: 'currency-exchange-settings_default',
        apiEndpoint: null,
        serviceProvider: null,
        url: null,
        disabled: false,
        useHttp: false,
        accessKey: null,
        details: [],
        results: [],
      },
    });
  });

  test('are nodes', async () => {
    const query = '{ node(id: "subscription-settings_default") { id ... on SubscriptionSettings { prorate } } }';
    expect((await ask(gateway(), query)).node).toEqual({ id: 'subscription-settings_default', prorate: true });
  });

  test('keep what is set, and null brings a default back', async () => {
    const update = `mutation ($input: UpdateSubscriptionSettingsInput!) {
      updated: updateSubscriptionSettings(input: $input) { record { gracePeriod prorate version } }
    }`;
    const { version } = (await ask(gateway(), '{ subscriptionSettings { version } }')).subscriptionSettings;
    const set = { gracePeriod: 14, prorate: false };
    expect((await ask(gateway(), update, { input: set })).updated.record).toEqual({ ...set, version: version + 1 });
    expect((await ask(gateway(), '{ subscriptionSettings { gracePeriod prorate } }')).subscriptionSettings).toEqual(
      set,
    );
    const cleared = { gracePeriod: 1, prorate: true, version: version + 2 };
    expect((await ask(gateway(), update, { input: { gracePeriod: null, prorate: null } })).updated.record).toEqual(
      cleared,
    );
  });

  test('are saved without their id too', async () => {
    const save = 'mutation { saved: saveCurrencyExchangeSettings(input: { useHttp: true }) { record { id useHttp } } }';
    const { saved } = await ask(gateway(), save);
    expect(saved.record).toEqual({ id: 'currency-exchange-settings_default', useHttp: true });
  });

  test.each(['subscription-settings_other', 'currency-exchange-settings_default', ''])(
    'have no other id: "%s" is not found',
    async (id) => {
      const update =
        'mutation ($id: ID!) { updateSubscriptionSettings(id: $id, input: { gracePeriod: 5 }) { record { id } } }';
      expect((await refusal(gateway(), update, { id })).extensions).toMatchObject({
        code: 'NOT_FOUND',
        reason: 'resource_missing',
      });
      expect((await ask(gateway(), '{ subscriptionSettings { gracePeriod } }')).subscriptionSettings.gracePeriod).toBe(
        1,
      );
    },
  );

  describe('Currency Exchange Settings', () => {
    const id = 'currency-exchange-settings_default';
    const update = `mutation ($input: UpdateCurrencyExchangeSettingsInput!) {
      updated: updateCurrencyExchangeSettings(id: "${id}", input: $input) { record { apiEndpoint serviceProvider accessKey } }
    }`;

    test('its R fields are null until first set, and cannot be set back to null', async () => {
      const set = { apiEndpoint: 'https://rates.test', serviceProvider: 'Custom', accessKey: 'a secret' };
      expect((await ask(gateway(), update, { input: set })).updated.record).toEqual(set);
      const { extensions } = await refusal(gateway(), update, { input: { apiEndpoint: null, serviceProvider: null } });
      expect(extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        errors: [
          { param: 'input.apiEndpoint', code: 'parameter_invalid' },
          { param: 'input.serviceProvider', code: 'parameter_invalid' },
        ],
      });
      const query = '{ currencyExchangeSettings { apiEndpoint serviceProvider accessKey } }';
      expect((await ask(gateway(), query)).currencyExchangeSettings).toEqual(set);
    });

    test('its lines belong to it', async () => {
      const create = `mutation ($input: CreateCurrencyExchangeSettingsDetailsInput!) {
        line: createCurrencyExchangeSettingsDetails(input: $input) { record { id currencyExchangeSettings { id } } }
      }`;
      const input = { currencyExchangeSettingsId: id, key: 'date', value: '{transaction_date}' };
      const {
        line: { record: line },
      } = await ask(gateway(), create, { input });
      expect(line.currencyExchangeSettings).toEqual({ id });
      const query = '{ currencyExchangeSettings { details { id key value } } }';
      expect((await ask(gateway(), query)).currencyExchangeSettings.details).toEqual([
        { id: line.id, key: 'date', value: '{transaction_date}' },
      ]);
    });
  });
});

describe.each([true, false])('compiled: %s', (compiled) => {
  onBothDatabases(
    (gateway) => {
      test('an update needs no id: there is but one that can be meant', async () => {
        const update = (given: string) =>
          `mutation { updated: updateSubscriptionSettings(${given}) { record { id gracePeriod } } }`;
        for (const [given, gracePeriod] of [
          ['input: { gracePeriod: 3 }', 3],
          ['id: "subscription-settings_default", input: { gracePeriod: 4 }', 4],
        ] as const) {
          const record = { id: 'subscription-settings_default', gracePeriod };
          expect((await ask(gateway(), update(given))).updated).toEqual({ record });
          expect((await ask(gateway(), '{ subscriptionSettings { id gracePeriod } }')).subscriptionSettings).toEqual(
            record,
          );
        }
      });
    },
    { compiled },
  );
});
