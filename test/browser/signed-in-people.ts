/** Two people of two companies sign in to the example front end with an identity provider. The tests are one visit, in this order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWithPeople } from '../access/people.js';
import { rolesFile } from '../access/roles.js';
import { issuersFile } from '../support/issuer.js';
import { clientId, SignInIssuer } from '../support/sign-in-issuer.js';
import { seriousProblems } from './accessibility.js';
import { type Desk, Person, startDesk } from './desk.js';
import { press } from './press.js';

const ofCompany = { company: { eq: '$claims.company' } };
const mechanic = {
  scopes: ['assets:read', 'assets:write'],
  types: { AssetRepair: { read: ofCompany, update: ofCompany } },
  hide: { AssetRepair: ['repairCost'], AssetRepairConsumedItem: ['valuationRate'] },
};
const foreman = {
  scopes: ['assets:read', 'assets:write', 'assets:submit'],
  types: { AssetRepair: { read: ofCompany, create: ofCompany, update: ofCompany, submit: ofCompany } },
};

export function signedInPeople(): void {
  let issuer: SignInIssuer;
  let desk: Desk;
  let ann: Person;
  let ben: Person;
  const shown = (person: Person) => person.page.locator('.rows tbody a').allInnerTexts();

  beforeAll(async () => {
    issuer = await SignInIssuer.start([
      { sub: 'ann', name: 'Ann', roles: ['Mechanics'], claims: { company: 'Sawmill' } },
      { sub: 'ben', name: 'Ben', roles: ['Foremen'], claims: { company: 'Bakery' } },
    ]);
    issuer.expiresIn = 12;
    const entry = issuer.entry({ roles: { Mechanics: 'mechanic', Foremen: 'foreman' } });
    const { issuer: url } = issuer.tokens;
    desk = await startDesk({
      start: startWithPeople,
      env: {
        ...{ SEARCH: 'true', ISSUERS_ALLOW: '127.0.0.1' },
        ...{ ROLES: rolesFile({ mechanic, foreman }), ISSUERS: issuersFile([entry]) },
      },
      signIn: { VITE_AUTHORIZE: `${url}/authorize`, VITE_TOKEN: `${url}/token`, VITE_CLIENT_ID: clientId },
    });
    await create('SAW-1', 'Sawmill');
    await create('OVEN-1', 'Bakery');
    [ann, ben] = [new Person(desk.browser.page), new Person(await desk.browser.openPage())];
  });
  afterAll(async () => {
    await desk?.close();
    await issuer?.stop();
  });

  test('are sent to their provider and back, and nothing of it is left in the address', async () => {
    for (const [person, name] of [
      [ann, 'Ann'],
      [ben, 'Ben'],
    ] as const) {
      await person.page.goto(desk.url);
      expect(await seriousProblems(person.page)).toEqual([]);
      await press(person.button('Sign in'));
      await press(person.page.getByRole('button', { name }));
      await person.said('1 in all');
      expect(person.page.url()).toMatch(`${desk.url}/`);
      expect(person.page.url()).not.toMatch(/code|state/);
    }
    await ann.said('Ann · mechanic');
    await ben.said('Ben · foreman');
    expect(issuer.refused).toEqual([]);
  });

  test('see the repairs of their own company only', async () => {
    expect([await shown(ann), await shown(ben)]).toEqual([['SAW-1'], ['OVEN-1']]);
    expect(await ann.page.getByRole('link', { name: 'New repair' }).count()).toBe(0);
    await ben.page.getByRole('link', { name: 'New repair' }).waitFor();
  });

  test('see that a field is hidden from them, which is not the same as empty', async () => {
    await ann.page.locator('.rows td.number').getByText('hidden').waitFor();
    await ann.open('SAW-1');
    expect(await ann.page.getByText('Repair cost Hidden from you').count()).toBe(1);
    expect(await ann.page.getByText('Rate Hidden from you').count()).toBe(1);
    expect(await ann.field('Repair cost').count()).toBe(0);
    expect(await ann.valuesOf('What is wrong')).toEqual(['']);
    expect(await seriousProblems(ann.page)).toEqual([]);
    await ben.open('OVEN-1');
    expect(await ben.valuesOf('Repair cost')).toEqual(['70']);
  });

  test('save back what they see, and what is hidden stays as it is', async () => {
    await ann.field('What is wrong').fill('leaks');
    await ann.field('Quantity').first().fill('2');
    await ann.save();
    const [repair] = await stored('SAW-1');
    expect(repair).toMatchObject({ description: 'leaks', repairCost: 70, company: 'Sawmill' });
    expect(repair.consumedItems).toMatchObject([{ consumedQuantity: '2', valuationRate: 9 }]);
  });

  test('are refused what their role does not allow, and are told so', async () => {
    expect(await ann.button('Submit').count()).toBe(0);
    await ann.field('Company').fill('Bakery');
    await press(ann.button('Save'));
    await ann.page.getByRole('alert').first().waitFor();
    await ann.said(/role/);
    expect(await stored('SAW-1')).toMatchObject([{ company: 'Sawmill' }]);
    await ann.field('Company').fill('Sawmill');
    await press(ben.button('Submit'));
    await ben.said('Submitted.');
  });

  test('stay live when their token is renewed: the stream ends with it, and begins again', async () => {
    const renewals = () => issuer.grants.filter((grant) => grant === 'refresh_token').length;
    const before = renewals();
    await expect.poll(renewals).toBeGreaterThan(before + 2);
    for (const { page } of [ann, ben]) await page.locator('form').getByText('Live', { exact: true }).waitFor();
    await desk.graphql(
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { description: "leaks badly" }) { record { id } } }',
      { id: (await stored('SAW-1'))[0].id },
    );
    await expect.poll(() => ann.valuesOf('What is wrong')).toEqual(['leaks badly']);
    expect(issuer.refused).toEqual([]);
  });

  test('turn back at the provider, and are told', async () => {
    await press(ben.page.getByRole('link', { name: 'Sign out' }));
    await press(ben.button('Sign in'));
    await press(ben.page.getByRole('button', { name: 'Turn back' }));
    await ben.said('You were not signed in (access_denied). Try again.');
    expect(
      await ben.page.evaluate('[Object.keys(sessionStorage), Object.keys(localStorage), document.cookie]'),
    ).toEqual([[], [], '']);
  });

  test('whose provider renews nothing any more sign in again beside what they have typed', async () => {
    await ann.field('What is wrong').fill('is loud');
    issuer.refreshes = false;
    await ann.said(/or sign in again, to go on/);
    expect(await seriousProblems(ann.page)).toEqual([]);
    const opened = ann.page.context().waitForEvent('page');
    await press(ann.button('Sign in'));
    issuer.expiresIn = 300;
    const beside = await opened;
    await press(beside.getByRole('button', { name: 'Ann' }));
    // As she is told to, Ann closes the other tab: what is out of sight follows no stream.
    await beside.getByText('Close this one.').waitFor();
    await beside.close();
    await ann.page.bringToFront();
    await ann.said('Live');
    expect(await ann.valuesOf('What is wrong')).toEqual(['is loud']);
    await ann.save();
    expect(await stored('SAW-1')).toMatchObject([{ description: 'is loud' }]);
  });

  test('logged no errors, and left no token in an address or a log', () => {
    expect(desk.browser.complaints).toEqual([]);
    for (const token of issuer.given) {
      expect(desk.browser.requests.filter((url) => url.includes(token))).toEqual([]);
      expect(desk.gateway().logLines.filter((line) => line.includes(token))).toEqual([]);
    }
  });

  async function create(asset: string, company: string) {
    const consumedItems = [{ itemCode: 'SEAL', warehouse: 'Stores', valuationRate: 9 }];
    const input = { asset, company, failureDate: '2026-11-20', repairCost: 70, consumedItems };
    const mutation =
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    await desk.graphql(mutation, { input });
  }

  /** As somebody sees it from whom nothing is hidden. */
  async function stored(asset: string) {
    const query = `query ($asset: String) { assetRepairs(where: { asset: { eq: $asset } }) { nodes {
      id company description repairCost consumedItems { consumedQuantity valuationRate } } } }`;
    return (await desk.graphql(query, { asset })).assetRepairs.nodes;
  }
}
