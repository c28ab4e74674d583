import { setGlobalState, type INodeParameters } from 'n8n-workflow';
import { casesOf, pairs } from '../../support/cases';
import { by, fromItem } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { newerWorkspace } from '../import/helpers';

/* Days in custom fields of the type date, in workflows in Berlin. */

beforeAll(() => setGlobalState({ defaultTimezone: 'Europe/Berlin' }));
afterAll(() => setGlobalState({ defaultTimezone: 'America/New_York' }));

const moments: Array<[what: string, expression: string, day: string]> = [
	['a local midnight as text', fromItem('born'), '1990-01-31'],
	['the same moment as a Date object', '={{ new Date($json.born) }}', '1990-01-31'],
	["the same moment as n8n's date", '={{ DateTime.fromISO($json.born) }}', '1990-01-31'],
	['a day alone', '=1990-01-30', '1990-01-30'],
	['midnight in UTC', '=1990-01-30T00:00:00.000Z', '1990-01-30'],
	['a time without an offset', '=1990-01-30T23:30', '1990-01-30'],
];
const item = { born: '1990-01-30T23:00:00.000Z', Born: '1990-01-30T23:00:00.000Z' };

async function withBorn() {
	const test = await testWorkspace({ contacts: 0, service: 'newer', counts: { customFields: 0 } });
	const { id } = await test.workspace.add('customFields', { name: 'Born', type: 'date' });
	await test.workspace.addContacts([{ email: 'ann@example.com', phoneNumber: '+4915100000001' }]);
	const stored = async () => {
		const { contacts } = await test.workspace.state();
		return contacts.flatMap(({ contactCustomFields }) =>
			contactCustomFields.map(({ value }) => value),
		);
	};
	return { ...test, id, stored };
}

const operations: Array<[operation: string, more: INodeParameters]> = [
	['setCustomFields', { identifier: by('email', 'ann@example.com') }],
	['update', { identifier: by('email', 'ann@example.com'), updateFields: { firstName: 'Ann' } }],
	['upsert', { email: 'ann@example.com' }],
];

const shared = { resource: 'contact', withCustomFields: true };

const withMoments = pairs(operations, moments).map(
	([[operation, more], [what, expression, day]]) => ({ operation, more, what, expression, day }),
);

test.each(withMoments)(
	'$operation stores $what as its day',
	async ({ operation, more, expression, day }) => {
		const { run, id, stored } = await withBorn();
		const customFields = { mappingMode: 'defineBelow', value: { [id]: expression } };
		const { error } = await run({ ...shared, operation, ...more, customFields }, [item]);
		expect(error).toBeUndefined();
		expect(await stored()).toEqual([day]);
	},
);

test.each(operations)(
	'%s stores a local midnight of a column as its day',
	async (operation, more) => {
		const { run, stored } = await withBorn();
		const customFields = { mappingMode: 'autoMapInputData', value: null };
		const { error } = await run({ ...shared, operation, ...more, customFields }, [item]);
		expect(error).toBeUndefined();
		expect(await stored()).toEqual(['1990-01-31']);
	},
);

test.each(casesOf(moments.slice(0, 2), moments.slice(2)))(
	'An import from items stores %s as its day',
	async (_, expression, day) => {
		const { run, workspace, into } = await newerWorkspace({ counts: { customFields: 0 } });
		const { id } = await workspace.add('customFields', { name: 'Born', type: 'date' });
		const parameters = into('whatsapp', 'items', {
			phoneNumber: '+4915100000001',
			customFields: { mappingMode: 'defineBelow', value: { [id]: expression } },
		});
		const { error } = await run(parameters, [item]);
		expect(error).toBeUndefined();
		const { contacts } = await workspace.state();
		expect(contacts.map(({ contactCustomFields }) => contactCustomFields)).toMatchObject([
			[{ value: day }],
		]);
	},
);

test('A contact is found by the same moment as its day was set from', async () => {
	const { run, id } = await withBorn();
	const set = { resource: 'contact', operation: 'setCustomFields' };
	const customFields = { mappingMode: 'defineBelow', value: { [id]: fromItem('born') } };
	await run({ ...set, identifier: by('email', 'ann@example.com'), customFields }, [item]);
	const identifier = by('customField', '=Born={{ $json.born }}');
	const { json } = await run({ resource: 'contact', operation: 'get', identifier }, [item]);
	expect(json).toMatchObject([{ email: 'ann@example.com' }]);
});
