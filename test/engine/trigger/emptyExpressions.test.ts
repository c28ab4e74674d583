import type { INodeParameters } from 'n8n-workflow';
import { type Field } from '../../../nodes/WorkspaceMessaging/run/operation';
import { getInnerFields } from '../../../nodes/WorkspaceMessaging/run/fieldValues';
import { pollingEvents } from '../../../nodes/WorkspaceMessaging/trigger/events';
import { pairs } from '../../support/cases';
import { received } from '../../support/engine/helpers';
import { watched } from '../../support/engine/triggerSupport';

/*
 * What the polling trigger does if an expression returns nothing for a list, a choice or a filter.
 */

const isListOrChoice = ({ type }: Field) => ['options', 'multiOptions'].includes(type);

/**
 * Returns the field, or each field in a collection of filters, with parameters whose value is an
 * expression.
 */
function casesOf(field: Field, expression: string): Array<[label: string, INodeParameters]> {
	const { name, displayName } = field;
	if (name === 'filters')
		return getInnerFields(field).map((inner) => [
			inner.displayName,
			{ filters: { [inner.name]: expression } },
		]);
	return isListOrChoice(field) ? [[displayName, { [name]: expression }]] : [];
}

const expressions = ['={{ undefined }}', '={{ null }}', '={{ "" }}', '={{ {} }}', '={{ [] }}'];

/** Each field of each event, as a function that returns its cases. */
const fields = pollingEvents.flatMap(({ value: event, fields: own }) =>
	own.map(
		(field) => (expression: string) =>
			casesOf(field, expression).map(
				([label, parameters]) => [event, label, expression, parameters] as const,
			),
	),
);

const cases = pairs(fields, expressions).flatMap(([field, expression]) => field(expression));

test('Each event with fields has one that can be empty, unless all are switches', () => {
	const withFields = pollingEvents.filter(({ fields }) =>
		fields.some(({ type }) => type !== 'boolean'),
	);
	expect(new Set(cases.map(([event]) => event)).size).toBe(withFields.length);
});

test.each(cases)(
	'%s does not start for everybody: the error of %s (%s) is there when watching begins',
	async (event, label, _, parameters) => {
		const { workspace, host } = await watched({ event, ...parameters }, { service: 'newer' });
		await workspace.clearJournal();
		await expect(host.activate()).rejects.toThrow(
			new RegExp(
				`^${label.replace(/[()]/g, '\\$&')} (is empty\\.|must be one of .*, but is empty)`,
			),
		);
		expect(await received(workspace)).toEqual([]);
	},
);

test('A list that was left empty watches all', async () => {
	const { host } = await watched({ event: 'tagAdded', tagIds: [], filters: { channels: [] } });
	await expect(host.activate()).resolves.toBeUndefined();
});

test('The error says how to watch all', async () => {
	const { host } = await watched({ event: 'tagAdded', tagIds: '={{ undefined }}' });
	await expect(host.activate()).rejects.toThrow(
		'Tag Names or IDs is empty. To watch all, delete the expression.',
	);
});
