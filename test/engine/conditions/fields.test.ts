import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
} from 'n8n-workflow';
import { pairs } from '../../support/cases';
import { compiledNode } from '../../support/engine/engine';
import { testWorkspace } from '../../support/engine/workspace';
import { serviceNames } from '../../../sandbox/services/names';

/*
 * Every field that the panel offers for a condition of one value, on the three kinds of services.
 */

const groups = () => {
	const { properties } = compiledNode.description;
	const conditions = properties.find(({ name }) => name === 'conditions')!;
	return conditions.options as INodePropertyCollection[];
};

/** The fields that the dropdown of a group offers. */
const offered = (group: string) => {
	const { values } = groups().find(({ name }) => name === group)!;
	const dropdown = values.find(({ name }: INodeProperties) => name === 'field')!;
	return (dropdown.options as Array<{ value: string }>).map(({ value }) => value);
};

/** What Ann has. Bob has none of it, and his own times are others. */
const ann = {
	email: 'ann@example.com',
	phoneNumber: '+4915112345678',
	firstName: 'Ann',
	lastName: 'Lee',
	gender: 'female',
	country: 'Peru',
	state: 'Cusco',
	city: 'Lima',
	locale: 'es',
	ref: 'autumn',
	emailOptIn: true,
	emailVerified: true,
	createdAt: '2026-01-01T12:00:00.000Z',
	updatedAt: '2026-01-02T12:00:00.000Z',
	lastReadAt: '2026-01-03T12:00:00.000Z',
	subscribedAt: '2026-01-04T12:00:00.000Z',
	broadcastSubscribedAt: '2026-01-05T12:00:00.000Z',
	blockedAt: '2026-01-06T12:00:00.000Z',
} as const;
const values: IDataObject = { ...ann, fullName: 'Ann Lee' };

/** The condition on a field that only Ann meets. */
function conditionOn(group: string, field: string): INodeParameters {
	const texts = { textOperator: 'eq', text: String(values[field]) };
	const dates = { dateOperator: 'eq', date: String(values[field]) };
	const rows: Record<string, INodeParameters> = { texts, dates, booleans: { isTrue: 'true' } };
	return { [group]: [{ field, ...rows[group] }] };
}

/** Conditions on what no record shows have tests of their own. */
const fields = ['texts', 'dates', 'booleans']
	.flatMap((group) => offered(group).map((field) => ({ group, field })))
	.filter(({ field }) => field !== 'lastInteraction');

/** The fields that the newer service filters by, and that certainly mean the same there. */
const filtered = [
	'blocked',
	'createdAt',
	'email',
	'emailOptIn',
	'emailVerified',
	'fullName',
	'phoneNumber',
];

/** Newer services filter by some of the fields; on the others, n8n compares all of them itself. */
const others = serviceNames.filter((name) => name !== 'newer');
const tried = [...pairs(['newer'] as const, fields), ...pairs(others, fields)].map(
	([service, { group, field }]) => ({ service, group, field }),
);

test.each(tried)(
	'A condition on a field of the panel finds the contact that has the value: $field ($service)',
	async ({ service, group, field }) => {
		const { workspace, run } = await testWorkspace({ service, contacts: 0 });
		await workspace.addContacts([ann, { createdAt: '2026-02-01T12:00:00.000Z' }]);
		const { error, json, hints } = await run({
			resource: 'contact',
			operation: 'getAll',
			returnAll: true,
			conditions: conditionOn(group, field),
		});
		expect([error, json.map(({ email }) => email)]).toEqual([undefined, [ann.email]]);
		expect(hints.length === 0).toBe(service === 'newer' && filtered.includes(field));
	},
);
