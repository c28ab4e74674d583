import { by } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const expressions = ['{{ new Date("31.01.2026") }}', '{{ DateTime.fromISO("31.01.2026") }}'];
const types = ['date', 'datetime', 'shortText'] as const;
const operations = [
	{ operation: 'setCustomFields', identifier: by('email', 'ann@example.com') },
	{ operation: 'upsert', email: 'ann@example.com', withCustomFields: true },
];

describe.each(['reference', 'newer'] as const)('on a %s service', (service) => {
	test.each(
		expressions.flatMap((expression) =>
			types.flatMap((type) =>
				operations.map(({ operation, ...more }) => [operation, expression, type, more] as const),
			),
		),
	)(
		'%s names the field in its error if %s is a custom field of type %s',
		async (operation, expression, type, more) => {
			const { run, workspace } = await testWorkspace({
				service,
				contacts: 0,
				counts: { customFields: 0 },
			});
			await workspace.addContacts([{ email: 'ann@example.com', phoneNumber: '+4915100000001' }]);
			const { id } = await workspace.add('customFields', { name: 'Birthday', type });
			const customFields = { mappingMode: 'defineBelow', value: { [id]: `=${expression}` } };
			const { error } = await run({ resource: 'contact', operation, ...more, customFields });
			expect(error?.message).toBe(
				"Custom field Birthday can't hold an invalid date. Nothing was changed. Its expression turns a text into a date that does not exist. Convert the text with DateTime.fromFormat, such as {{ DateTime.fromFormat($json.value, 'dd.MM.yyyy') }}. [item 0]",
			);
			const { requests } = await workspace.journal();
			expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		},
	);
});
