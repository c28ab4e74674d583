import type { INodeParameters } from 'n8n-workflow';
import { pairs } from '../../support/cases';
import { by, once, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/* n8n takes any text as the time zone of a workflow. */

/** Uses of the time zone: the time of each has no offset, or its day depends on the zone. */
const uses: Array<[name: string, parameters: (ids: Record<string, string>) => INodeParameters]> = [
	['a time in a custom field', ({ datetime }) => setCustomField(datetime, '2026-01-31T09:30:00')],
	['the day of a moment', ({ date }) => setCustomField(date, '2026-01-31T23:30:00Z')],
	[
		'a condition',
		() => ({
			resource: 'contact',
			operation: 'getAll',
			conditions: { dates: [{ field: 'createdAt', dateOperator: 'gt', date: '2026-01-31' }] },
		}),
	],
	[
		'a filter of messages',
		() => ({
			resource: 'conversation',
			operation: 'getMessages',
			identifier: by('id', '7'),
			filters: { since: '2026-01-31T09:30:00' },
		}),
	],
	[
		'the end of a wait',
		() => ({
			resource: 'message',
			operation: 'sendAndWait',
			identifier: by('id', '7'),
			message: 'Yes?',
			options: {
				limitWaitTime: {
					values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2046-01-31T09:30:00' },
				},
			},
		}),
	],
];

const setCustomField = (id: string, value: string): INodeParameters => ({
	resource: 'contact',
	operation: 'setCustomFields',
	identifier: by('id', '7'),
	customFields: { mappingMode: 'defineBelow', value: { [id]: value } },
});

async function runIn(timezone: string, [, parameters]: (typeof uses)[number]) {
	const { workspace, run } = await testWorkspace({ service: 'newer' });
	const { customFields } = await workspace.state();
	const ids = Object.fromEntries(customFields.map(({ type, id }) => [type, id]));
	await workspace.clearJournal();
	const result = await run({ ...once, ...parameters(ids) }, [{}], { settings: { timezone } });
	const requests = await received(workspace);
	return { result, writes: requests.filter(({ method }) => method !== 'GET') };
}

const wrong = ['GMT+2', 'DEFAULT', 'MESZ', '+02:00', 'Europe/Bonn', ''];

test.each(pairs(uses, wrong))(
	'%s says that %s is no time zone, and nothing is sent',
	async (use, timezone) => {
		const { result, writes } = await runIn(timezone, use);
		expect(shownOf(result)).toContain(
			`The time zone of the workflow, "${timezone}", doesn't exist. Choose one, such as Europe/Berlin, under Timezone in the settings of the workflow, or set GENERIC_TIMEZONE in the environment of n8n.`,
		);
		expect(writes).toEqual([]);
	},
);

test.each(pairs(uses, ['Europe/Berlin', 'UTC', 'UTC+2', 'Etc/GMT-2', 'America/St_Johns']))(
	'%s reads times in the time zone %s',
	async (use, timezone) => {
		const { result } = await runIn(timezone, use);
		expect(result.error?.message ?? '').not.toContain('time zone');
	},
);

test('A time with an offset needs no time zone', async () => {
	const [[name]] = uses;
	const { result } = await runIn('GMT+2', [
		name,
		({ datetime }) => setCustomField(datetime, '2026-01-31T09:30:00+02:00'),
	]);
	expect(result.error?.message ?? '').not.toContain('time zone');
});
