// LinkedIn: linkedin-api-client, pointed at the sandbox. It implements OAuth and the Rest.li layer but no ad
// resources, so this script writes the bodies and the library writes the requests.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const { SANDBOX, MODULES } = process.env;
const require = createRequire(`${MODULES}/`);
const { AuthClient, RestliClient } = require('linkedin-api-client');
const addresses = require('linkedin-api-client/dist/lib/utils/constants.js');

addresses.OAUTH_BASE_URL = `${SANDBOX}/delta_ads/oauth/v2`;
addresses.VERSIONED_BASE_URL = `${SANDBOX}/delta_ads/rest`;

const REDIRECT = 'http://127.0.0.1:9/callback';
const SCOPES = ['r_ads', 'rw_ads', 'r_ads_reporting'];
const versionString = '202607';

const auth = new AuthClient({ clientId: '78sandboxdelta', clientSecret: 'sandbox-secret-delta', redirectUrl: REDIRECT });
const form = (pairs) => ({ method: 'POST', body: new URLSearchParams(pairs), redirect: 'manual' });

async function connect() {
  // The library separates scopes by commas; LinkedIn's pages and the sandbox use spaces.
  const address = auth.generateMemberAuthorizationUrl([SCOPES.join('%20')], 's');
  const consent = await fetch(address, form({ decision: 'approve' }));
  assert.equal(consent.status, 302, await consent.text());
  const landed = new URL(consent.headers.get('location'));
  assert.equal(landed.searchParams.get('error'), null, `consent refused: ${landed}`);
  assert.equal(landed.searchParams.get('state'), 's');
  const tokens = await auth.exchangeAuthCodeForAccessToken(landed.searchParams.get('code'));
  assert.deepEqual(tokens.scope.split(','), SCOPES);
  const renewed = await auth.exchangeRefreshTokenForAccessToken(tokens.refresh_token);
  assert.notEqual(renewed.access_token, tokens.access_token);
  const { data } = await auth.introspectAccessToken(renewed.access_token);
  assert.deepEqual([data.active, data.status, data.auth_type], [true, 'active', '3L']);
  return renewed.access_token;
}

async function expectRefusal(name, status, code, promise) {
  const error = await promise.then(() => assert.fail(`${name} was not refused`), (error) => error);
  assert.ok(error.response, `${name}: ${error}`);
  const { data } = error.response;
  assert.deepEqual([error.response.status, data.status, data.code], [status, status, code], `${name}: ${JSON.stringify(data)}`);
  assert.equal(typeof data.message, 'string');
  return data;
}

// Days that the sandbox delivers come back day by day, and as their sum. LinkedIn keeps single days for six months.
async function reportDays(client, base, account, id) {
  const start = Date.now() - 30 * 86_400_000;
  const at = (day) => new Date(start + day * 86_400_000);
  const date = (day) => ({ year: at(day).getUTCFullYear(), month: at(day).getUTCMonth() + 1, day: at(day).getUTCDate() });
  const deliver = async (day, [spend, impressions, clicks, conversions, value]) => {
    const body = JSON.stringify({
      platform: 'delta_ads', campaign_id: id, date: at(day).toISOString().slice(0, 10), spend, impressions, clicks,
      conversions: String(conversions), conversion_value: value,
    });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${SANDBOX}/_sandbox/delivery`, { method: 'POST', headers, body });
    assert.equal(response.status, 200, await response.text());
  };
  const days = [['12.34', 1500, 31, 2, '80.5'], ['0.66', 20, 0, 0, '0'], ['7', 9, 1, 1, '19.5']];
  // The last day is set twice: the second time in place of the first.
  await deliver(2, ['1', 1, 1, 1, '1']);
  for (const [day, numbers] of days.entries()) await deliver(day, numbers);
  const report = async (timeGranularity) => (await client.finder({
    ...base, resourcePath: '/adAnalytics', finderName: 'analytics',
    queryParams: {
      pivot: 'CAMPAIGN', timeGranularity, dateRange: { start: date(0), end: date(4) }, accounts: [account],
      campaigns: [`urn:li:sponsoredCampaign:${id}`],
      fields: 'dateRange,pivotValues,impressions,clicks,costInLocalCurrency,externalWebsiteConversions,'
        + 'conversionValueInLocalCurrency',
    },
  })).data.elements;
  const row = (first, last, [spend, impressions, clicks, conversions, value]) => ({
    dateRange: { start: date(first), end: date(last) }, pivotValues: [`urn:li:sponsoredCampaign:${id}`], impressions,
    clicks, costInLocalCurrency: spend, externalWebsiteConversions: conversions, conversionValueInLocalCurrency: value,
  });
  assert.deepEqual(await report('DAILY'), days.map((numbers, day) => row(day, day, numbers)));
  assert.deepEqual(await report('ALL'), [row(0, 4, ['20', 1529, 32, 3, '100'])]);
}

async function main() {
  const client = new RestliClient({ timeout: 10_000 });
  const base = { accessToken: await connect(), versionString };
  const users = await client.finder({ ...base, resourcePath: '/adAccountUsers', finderName: 'authenticatedUser' });
  const account = users.data.elements[0].account;
  const pathKeys = { account: Number(account.split(':').pop()) };
  const accounts = await client.finder({
    ...base, resourcePath: '/adAccounts', finderName: 'search', queryParams: { search: { status: { values: ['ACTIVE'] } } },
  });
  assert.deepEqual(accounts.data.elements.map((one) => one.id), [pathKeys.account]);
  const { currency, reference } = (await client.get({ ...base, resourcePath: '/adAccounts/{account}', pathKeys })).data;

  const runSchedule = { start: Date.now() + 3_600_000 };
  const group = await client.create({
    ...base, resourcePath: '/adAccounts/{account}/adCampaignGroups', pathKeys,
    entity: { account, name: 'Official', status: 'ACTIVE', runSchedule },
  });
  assert.match(group.createdEntityId, /^\d+$/);
  const all = { ...base, resourcePath: '/adAccounts/{account}/adCampaigns', pathKeys };
  const create = async (name, more = {}) => {
    const created = await client.create({
      ...all,
      entity: {
        account, campaignGroup: `urn:li:sponsoredCampaignGroup:${group.createdEntityId}`, name, status: 'PAUSED',
        type: 'SPONSORED_UPDATES', objectiveType: 'WEBSITE_VISIT', costType: 'CPM',
        optimizationTargetType: 'MAX_CLICK', associatedEntity: reference, runSchedule,
        dailyBudget: { amount: '25.00', currencyCode: currency }, locale: { country: 'US', language: 'en' },
        targetingCriteria: { include: { and: [{ or: { 'urn:li:adTargetingFacet:locations': ['urn:li:geo:103644278'] } }] } },
        offsiteDeliveryEnabled: false, politicalIntent: 'NOT_POLITICAL', ...more,
      },
    });
    assert.deepEqual([created.status, created.data], [201, '']);
    return created.createdEntityId;
  };
  const specialName = "Spring: 50% + (a,b) 'x' é";
  const ids = [await create(specialName), await create('Official 1'), await create('Official 2', { status: 'DRAFT' })];
  const one = (id) => ({ ...base, resourcePath: `${all.resourcePath}/{id}`, pathKeys: { ...pathKeys, id } });
  const read = async (id) => (await client.get(one(id))).data;
  const first = await read(ids[0]);
  assert.deepEqual([first.name, first.status, Number(first.dailyBudget.amount)], [specialName, 'PAUSED', 25]);

  const find = async (queryParams) => (await client.finder({ ...all, finderName: 'search', queryParams })).data;
  const named = await find({ search: { name: { values: [specialName] } } });
  assert.deepEqual(named.elements.map((found) => String(found.id)), [ids[0]]);
  const search = { status: { values: ['PAUSED', 'DRAFT'] } };
  const page = await find({ search, pageSize: 2 });
  assert.equal(page.elements.length, 2);
  const last = await find({ search, pageSize: 2, pageToken: page.metadata.nextPageToken });
  assert.equal(last.metadata.nextPageToken, undefined);
  assert.deepEqual([...page.elements, ...last.elements].map((found) => String(found.id)), ids);

  const patch = async (id, patchSetObject) => {
    const { status } = await client.partialUpdate({ ...one(id), patchSetObject });
    assert.equal(status, 204);
  };
  await patch(ids[0], { name: 'Renamed', dailyBudget: { amount: '30.00', currencyCode: currency } });
  for (const status of ['ACTIVE', 'PAUSED']) {
    await patch(ids[0], { status });
    assert.equal((await read(ids[0])).status, status);
  }
  const changed = await read(ids[0]);
  assert.deepEqual([changed.name, Number(changed.dailyBudget.amount)], ['Renamed', 30]);

  const spend = JSON.stringify({ platform: 'delta_ads', campaign_id: ids[0], amount: '3.50' });
  const headers = { 'Content-Type': 'application/json' };
  assert.equal((await fetch(`${SANDBOX}/_sandbox/spend`, { method: 'POST', headers, body: spend })).status, 200);
  const campaign = `urn:li:sponsoredCampaign:${ids[0]}`;
  const report = await client.finder({
    ...base, resourcePath: '/adAnalytics', finderName: 'analytics',
    queryParams: {
      pivot: 'CAMPAIGN', timeGranularity: 'ALL', dateRange: { start: { year: 2026, month: 1, day: 1 } },
      campaigns: [campaign], fields: 'costInLocalCurrency,pivotValues',
    },
  });
  assert.deepEqual(report.data.elements.map((row) => row.pivotValues), [[campaign]]);
  assert.match(report.data.elements[0].costInLocalCurrency, /^3\.50?$/);

  await reportDays(client, base, account, ids[1]);

  const rejected = await create('Small', { dailyBudget: { amount: '1.00', currencyCode: currency } }).then(
    () => assert.fail('a small budget was not refused'), (error) => error.response);
  assert.equal(rejected.status, 400);
  const [input] = rejected.data.errorDetails.inputErrors;
  assert.match(input.input.inputPath.fieldPath, /dailyBudget/);
  await expectRefusal('an unknown campaign', 404, 'NOT_FOUND', client.get(one(1)));
  await expectRefusal('a missing version', 426, 'NONEXISTENT_VERSION', client.get({ ...one(ids[0]), versionString: '202001' }));
  const unauthorized = await expectRefusal('a bad token', 401, 'INVALID_ACCESS_TOKEN', client.get({ ...one(ids[0]), accessToken: 'never' }));
  assert.equal(unauthorized.serviceErrorCode, 65_600);

  assert.equal((await client.delete(one(ids[2]))).status, 204);
  await patch(ids[0], { status: 'ARCHIVED' });
  const remaining = await find({ search: { status: { values: ['ACTIVE', 'PAUSED', 'DRAFT'] } } });
  assert.deepEqual(remaining.elements.map((found) => String(found.id)), [ids[1]]);
}

main().then(
  () => console.log('delta (linkedin-api-client): connected, refreshed, created, listed, updated, reported, archived, deleted, errors parsed: ok'),
  (error) => {
    const response = error.response && `${error.response.config.url}: ${JSON.stringify(error.response.data)}`;
    console.error(`delta.mjs: ${response ?? error.stack}`);
    process.exit(1);
  },
);
