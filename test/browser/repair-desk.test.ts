/** The example front end, built, and used in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { missing } from './browser.js';
import { type Desk, needed, startDesk } from './desk.js';
import { deskStates } from './desk-states.js';
import { found } from './found.js';
import { mishaps } from './mishaps.js';
import { onePerson } from './one-person.js';
import { signedInPeople } from './signed-in-people.js';
import { twoPeople } from './two-people.js';

const reason = missing(...needed);
if (reason) console.log(reason);

describe.skipIf(reason)('the repair desk', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk?.close());

  describe('one person', () => onePerson(() => desk));
  describe('two people', () => twoPeople(() => desk));
  describe('where it is easily lost', () => mishaps(() => desk));
  describe('before a gateway that is empty, slow or out of reach', deskStates);
  describe('people of two companies', signedInPeople);
  describe.each(providers)('searches on %s', found);

  test('logged no errors, and sent requests to nobody else', () => {
    expect(desk.browser.complaints).toEqual([]);
    expect(desk.browser.requests.filter((url) => !url.startsWith(`${desk.url}/`))).toEqual([]);
  });
});
