import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, settings } from '../../src/config.js';

describe('the configuration', () => {
  test('an empty environment gives the documented defaults', () => {
    expect(readConfig({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: 'file:./data/records.db',
      apiKey: undefined,
      migrate: true,
      logLevel: 'info',
    });
  });

  test('every setting is read from the variable of its name', () => {
    const environment = {
      PORT: '0',
      HOST: '::1',
      DATABASE_URL: 'postgresql://u:p@db/records',
      API_KEY: 'sixteen-letters!',
      MIGRATE: 'false',
      LOG_LEVEL: 'silent',
    };
    expect(readConfig(environment)).toEqual({
      port: 0,
      host: '::1',
      databaseUrl: 'postgresql://u:p@db/records',
      apiKey: 'sixteen-letters!',
      migrate: false,
      logLevel: 'silent',
    });
    expect(settings().map(({ name }) => name)).toEqual(Object.keys(environment));
  });

  test('an empty value counts as not set', () => {
    expect(readConfig({ PORT: '', API_KEY: '' })).toEqual(readConfig({}));
  });

  test('all wrong settings are reported at once, by name and with the mend', () => {
    expect(problemsOf({ PORT: '65536', HOST: 'a b', MIGRATE: 'yes', LOG_LEVEL: 'loud' })).toEqual([
      'PORT must be a whole number from 0 to 65535, not "65536".',
      'HOST must be an IP address or a host name, not "a b".',
      'MIGRATE must be true or false, not "yes".',
      'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud".',
    ]);
  });

  test.each(['-1', '1e3', '4000.5', ' 4000', '0x10', 'http'])('the port %j is refused', (port) => {
    expect(problemsOf({ PORT: port })).toHaveLength(1);
  });

  test.each(['short', 'fifteen-letters', 'sixteen letters with a space', 'sixteen-letters-é'])(
    'the key %j is refused and not shown',
    (key) => {
      const [problem, ...others] = problemsOf({ API_KEY: key });
      expect(others).toEqual([]);
      expect(problem).toMatch(/^API_KEY must be 16 to 256 /);
      expect(problem).not.toContain(key);
    },
  );

  test('a database URL that is neither SQLite nor PostgreSQL is refused and its password not shown', () => {
    const [problem] = problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/records' });
    expect(problem).toMatch(/^DATABASE_URL must begin with file: /);
    expect(problem).not.toContain('hunter2');
  });
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
