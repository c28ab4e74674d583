import type { GenericValue, IDataObject, INodeParameters } from 'n8n-workflow';
import type { Field, FieldGroup } from '../../../nodes/WorkspaceMessaging/run/operation';
import { getInnerFields } from '../../../nodes/WorkspaceMessaging/run/fieldValues';
import { resources } from '../../../nodes/WorkspaceMessaging/resources';
import { pairs } from '../../support/cases';
import { by, fromItem, queryOf, received } from '../../support/engine/helpers';
import { TOOL } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import { pdf } from '../contact/attachments';
import {
	everyOperation,
	nameOf,
	newerOperations,
	newestOperations,
	operations,
} from '../../support/operations';

/*
 * What every operation does if an expression returns nothing for a list, a choice, a filter or an
 * option.
 */

/** What an expression returns, as a test names it. */
const nothing: Record<string, GenericValue> = {
	'a missing field': undefined,
	null: null,
	'empty text': '',
};

const all = [...operations, ...newerOperations, ...newestOperations];

/**
 * Where empty has a meaning, why, and what of `nothing` has it; all of it by default. *Set Tags*
 * takes an empty list, which `setTags.test.ts` tests, and *Assign* has Nobody as a choice of its
 * own.
 */
const exceptions: Record<string, { why: string; only?: string[] }> = {
	'message.send inboxId': { why: 'the service takes the channel used last' },
	'message.sendAndWait inboxId': { why: 'the service takes the channel used last' },
	'contact.triggerFlow options.inboxId': { why: 'the service takes the channel used last' },
	'message.sendTemplate inboxId': {
		why: 'the only WhatsApp channel of the contact, or the one used last',
	},
	'message.send attachments': { why: 'an item may have no file', only: ['empty text'] },
	'contact.upsert additionalFields.channel': { why: 'an empty cell changes nothing' },
	'contact.upsert additionalFields.gender': { why: 'an empty cell changes nothing' },
	'contact.upsert additionalFields.inboxId': { why: 'an empty cell changes nothing' },
	'contact.upsert options.defaultCountryCode': { why: 'that of the credential is used' },
	'contact.import options.countryCode': { why: 'that of the credential is used' },
	'contact.upsert options.identifier': {
		why: 'not needed if the email or phone number finds the contact',
	},
};

const oneCondition = { booleans: [{ field: 'subscribed', isTrue: 'true' }] };

/** What has to be entered besides, so that a field is shown and n8n itself misses nothing. */
const needed: Record<string, INodeParameters> = {
	'conversation.assign assignTo': { teamId: by('id', '1') },
	'contact.import channel': { inboxId: by('id', '1') },
	'contact.getAll match': { conditions: oneCondition },
	'contact.count match': { conditions: oneCondition },
};

/** Fields of type text that hold a list. */
const textLists = ['attachments', 'sequenceNames', 'tagNames'];

/** n8n itself drops an expression where the panel offers none. */
const isListOrChoice = ({ name, type, typeOptions, noDataExpression }: Field) =>
	noDataExpression !== true &&
	(['options', 'multiOptions', 'resourceLocator'].includes(type) ||
		typeOptions?.multipleValues === true ||
		[...textLists, 'files'].includes(name));

interface Case {
	operation: string;
	/** The field's name, in a collection with its name before it. */
	place: string;
	label: string;
	/** Makes the field's value an expression. */
	parameters: INodeParameters;
}

function casesOf(operation: string, field: Field): Case[] {
	const { name, displayOptions } = field;
	const caseOf = (inner: Field, path: string, parameters: INodeParameters): Case => ({
		...{ operation, place: path, label: inner.displayName },
		parameters: {
			...shownBy(displayOptions),
			...shownBy(inner.displayOptions),
			...needed[`${operation} ${path}`],
			...parameters,
		},
	});
	if (field.type === 'collection')
		return getInnerFields(field).flatMap((inner) => {
			const path = `${name}.${inner.name}`;
			if (inner.type === 'fixedCollection')
				return groupsOf(inner).map(([choice, group]) =>
					caseOf(choice, path, { [name]: { [inner.name]: group } }),
				);
			const isWanted = ['filters', 'options'].includes(name) && inner.noDataExpression !== true;
			const isCase = isWanted || isListOrChoice(inner);
			return isCase
				? [caseOf(inner, path, { [name]: { [inner.name]: expressionFor(inner) } })]
				: [];
		});
	if (field.type === 'fixedCollection')
		return groupsOf(field).map(([inner, group]) => caseOf(inner, name, { [name]: group }));
	return isListOrChoice(field) ? [caseOf(field, name, { [name]: expressionFor(field) })] : [];
}

/**
 * The choices in a fixed collection, each with a value of the collection that has an expression for
 * it.
 */
function groupsOf({ options, typeOptions, displayName }: Field): Array<[Field, INodeParameters]> {
	return (options as FieldGroup[]).flatMap(({ name, values }) =>
		values.filter(isListOrChoice).map((inner): [Field, INodeParameters] => {
			const texts = values
				.filter(({ type }) => type === 'string')
				.map((field) => [field.name, 'x']);
			const row = { ...Object.fromEntries(texts), [inner.name]: expressionFor(inner) };
			if (typeOptions?.multipleValues !== true) return [inner, { [name]: row }];
			// The error about a row names the list.
			return [{ ...inner, displayName }, { [name]: [row] }];
		}),
	);
}

/** The values of other fields with which a field is shown. */
const shownBy = (displayOptions: Field['displayOptions']): INodeParameters =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).map(([name, values]) => [
			// From inside a collection, a field of the panel is named by its path.
			name.replace(/^\//, ''),
			values?.[0] as string,
		]),
	);

const expressionFor = ({ type }: Field) =>
	type === 'resourceLocator' ? by('id', fromItem()) : fromItem();

const cases = resources.flatMap(({ value: resource, operations: each }) =>
	each.flatMap(({ value: operation, fields }) =>
		fields
			// `conditions.test.ts` tests these; their errors name the condition.
			.filter(({ name }) => name !== 'conditions')
			.flatMap((field) => casesOf(nameOf({ resource, operation }), field)),
	),
);

const isException = ({ operation, place }: Case, form: string) => {
	const exception = exceptions[`${operation} ${place}`];
	return exception !== undefined && (exception.only ?? [form]).includes(form);
};

/** A workspace in which every operation works. */
async function fullWorkspace() {
	const test = await testWorkspace({ contacts: 3, service: 'newer', newest: true });
	const base = everyOperation(await test.workspace.state(), all);
	await test.workspace.clearJournal();
	return { ...test, base };
}

test('The lists and choices of all operations are found', () => {
	expect(cases.length).toBeGreaterThan(90);
	const places = cases.map(({ operation, place }) => `${operation} ${place}`);
	expect(Object.keys(exceptions).filter((each) => !places.includes(each))).toEqual([]);
	expect(Object.keys(needed).filter((each) => !places.includes(each))).toEqual([]);
});

const tried = pairs(cases, Object.keys(nothing));

describe.each(Object.entries(nothing))('If the expression returns %s', (form, value) => {
	const casesOfForm = tried.filter(([, other]) => other === form).map(([each]) => each);

	test('every list, choice, filter and option is refused by name, before anything is sent', async () => {
		const { run, workspace, base } = await fullWorkspace();
		const passed: string[] = [];
		for (const each of casesOfForm.filter((one) => !isException(one, form))) {
			const { operation, place, label, parameters } = each;
			const { error } = await run({ ...base[operation], ...parameters }, [{ value }]);
			const said = error?.message ?? 'no error';
			if (!said.includes(label) || !said.endsWith('[item 0]'))
				passed.push(`${operation} ${place}: ${said}`);
		}
		expect(passed).toEqual([]);
		expect(await received(workspace)).toEqual([]);
	});

	test.each(cases.filter((one) => isException(one, form)))(
		'it means something in $operation $place',
		async ({ operation, parameters }) => {
			const { run, base } = await fullWorkspace();
			const result = await run({ ...base[operation], ...parameters }, [{ value }]);
			expect(result.error?.message ?? '').not.toMatch(/is empty|must (be|have)/);
		},
	);
});

const getConversations = { resource: 'conversation', operation: 'getAll', returnAll: true };
const getContacts = { resource: 'contact', operation: 'getAll', returnAll: true };
const ask = { resource: 'message', operation: 'sendAndWait', message: 'Which size?' };

describe('An expression that returns nothing', () => {
	test.each<[string, INodeParameters, GenericValue]>([
		['Keyword', { ...getConversations, filters: { keyword: fromItem() } }, ' \n'],
		['Answered By', { ...getConversations, filters: { inCharge: fromItem() } }, {}],
		['Assigned To Name or ID', { ...getConversations, filters: { assignedId: fromItem() } }, {}],
		['Channel Type', { ...getConversations, filters: { channel: fromItem() } }, []],
		['States', { ...getConversations, filters: { states: fromItem() } }, {}],
		['States', { ...getConversations, filters: { states: fromItem() } }, []],
		['States', { ...getConversations, filters: { states: fromItem() } }, '[]'],
		['States', { ...getConversations, filters: { states: fromItem() } }, ' , '],
		['Channel Types', { ...getContacts, filters: { channels: fromItem() } }, {}],
		['Channel Types', { ...getContacts, filters: { channels: fromItem() } }, [null, '']],
		['Channel Names or IDs', { ...getContacts, filters: { inboxIds: fromItem() } }, { ids: [] }],
		['Contact Filter (JSON)', { ...getContacts, filters: { contactFilter: fromItem() } }, '{ }'],
		['Contact Filter (JSON)', { ...getContacts, filters: { contactFilter: fromItem() } }, {}],
	])('in the filter %s does not list everybody (%#)', async (label, parameters, value) => {
		const { run, workspace } = await fullWorkspace();
		const { error } = await run(parameters, [{ value }]);
		expect(error?.message).toBe(`${label} is empty. Remove it to list all. [item 0]`);
		expect(error?.description).toBe('');
		expect(await received(workspace)).toEqual([]);
	});

	test('is the problem of its item alone', async () => {
		const { run, base, workspace } = await fullWorkspace();
		const [{ firstName }] = (await workspace.state()).contacts;
		const parameters = { ...base['contact.getAll'], filters: { keyword: fromItem() } };
		const { outputs } = await run(parameters, [{ value: firstName }, {}], {
			onError: 'continueRegularOutput',
		});
		expect(outputs[0].map(({ json }) => json.error ?? json.firstName)).toEqual([
			firstName,
			'Keyword is empty. Remove it to list all. [item 1]',
		]);
	});

	test.each<[string, GenericValue]>([
		['nothing', undefined],
		['null', null],
		['empty text', ''],
		['blank text', '  '],
		['an empty list', []],
		['a list of empty texts', ['', ' ']],
		['an empty object', {}],
	])('in Choices sends no question without buttons: %s', async (_, value) => {
		const { run, base, workspace } = await fullWorkspace();
		const parameters = { ...base['message.sendAndWait'], ...ask, responseType: 'choices' };
		const { error } = await run({ ...parameters, choices: fromItem() }, [{ value }]);
		expect(error?.message).toBe('Choices must have at least one entry [item 0]');
		expect(await received(workspace)).toEqual([]);
	});

	test.each([[fromItem()], [['', '']]])(
		'in Choices (%j) does not count if an expression chooses another response type',
		async (choices) => {
			const { run, base } = await fullWorkspace();
			const parameters = { ...base['message.sendAndWait'], ...ask, responseType: fromItem('type') };
			const free = await run({ ...parameters, choices }, [{ type: 'freeText' }]);
			expect(free.error).toBeUndefined();
			const chosen = await run({ ...parameters, choices }, [{ type: ' Choices ' }]);
			expect(chosen.error?.message).toBe('Choices must have at least one entry [item 0]');
		},
	);

	test('is not a date', async () => {
		const { run, base } = await fullWorkspace();
		const parameters = base['conversation.getMessages'];
		const since = '={{ new Date("2026-01-01") }}';
		expect((await run({ ...parameters, filters: { since } })).error).toBeUndefined();
	});

	test.each([0, false])('is not %j', async (value) => {
		const { run, base } = await fullWorkspace();
		const filters = { keyword: fromItem() };
		const { error } = await run({ ...base['tag.getAll'], filters }, [{ value }]);
		expect(error?.message ?? '').not.toContain('is empty');
	});
});

test('A filter that was added and has no expression is no filter if it is empty', async () => {
	const { run, base } = await fullWorkspace();
	const filters = { keyword: '', states: [], assignedId: '' };
	const { error, json } = await run({ ...base['conversation.getAll'], filters });
	expect(error).toBeUndefined();
	expect(json.length).toBeGreaterThan(0);
});

describe('In a tool', () => {
	const fromAi = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;

	test.each<GenericValue>(['', ' ', null, {}, []])(
		'a filter that the model leaves empty (%j) is no filter',
		async (value) => {
			const { run, workspace, base } = await fullWorkspace();
			const filters = {
				keyword: fromAi('value'),
				inCharge: fromAi('value'),
				assignedId: fromAi('value'),
				channel: fromAi('value'),
				states: fromAi('value'),
			};
			const parameters = { ...base['conversation.getAll'], filters, output: 'raw' };
			const { error } = await run(parameters, [{ value }], { node: TOOL });
			expect(error).toBeUndefined();
			expect((await received(workspace)).map(queryOf)).toEqual([[['perPage', '50']]]);
		},
	);

	test('a filter of the workflow that returns nothing is refused: the model did not leave it empty', async () => {
		const { run, workspace } = await fullWorkspace();
		const parameters = { ...getConversations, filters: { assignedId: '={{ $json.missing }}' } };
		const { error } = await run(parameters, [{}], { node: TOOL });
		expect(error?.message).toContain('Assigned To Name or ID is empty. Remove it to list all.');
		expect(await received(workspace)).toEqual([]);
	});

	test('an option that the model leaves empty is left out', async () => {
		const { run, base } = await fullWorkspace();
		const { identifier, ...parameters } = base['message.send'];
		const contact = String((identifier as INodeParameters).value);
		const options = { flowId: by('id', fromAi('flow')) };
		const { error } = await run({ ...parameters, contact, options }, [{ flow: '' }], {
			node: TOOL,
		});
		expect(error).toBeUndefined();
	});

	test('a choice that has to be made is refused', async () => {
		const { run, base } = await fullWorkspace();
		const { identifier, ...parameters } = base['conversation.changeState'];
		const contact = String((identifier as INodeParameters).value);
		const { error } = await run(
			{ ...parameters, contact, change: fromAi('change') },
			[{ change: '' }],
			{
				node: TOOL,
			},
		);
		expect(error?.message).toContain('Change must be one of archive, follow, read, unread');
	});
});

describe('An expression that returns nothing for a text or a number', () => {
	const contact = by('id', '4711');
	const empty = fromItem('missing');

	test.each<[string, INodeParameters]>([
		['Message', { resource: 'message', operation: 'send', identifier: contact, text: empty }],
		[
			'Contact',
			{ resource: 'message', operation: 'send', identifier: by('id', empty), text: 'Hi' },
		],
		['Contact', { resource: 'contact', operation: 'get', identifier: by('email', empty) }],
		['Name', { resource: 'tag', operation: 'create', name: empty }],
		['Note', { resource: 'contact', operation: 'addNote', identifier: contact, text: empty }],
		[
			'Member',
			{
				resource: 'conversation',
				operation: 'assign',
				identifier: contact,
				memberId: by('id', empty),
			},
		],
	])('%s: the error says that it is the expression', async (label, parameters) => {
		const { run, workspace } = await testWorkspace({ contacts: 0 });
		for (const value of Object.values(nothing)) {
			const { error } = await run(parameters, [{ missing: value }] as IDataObject[]);
			expect(error?.message).toMatch(
				/^(The expression of \S+|.* must .*, but its expression) returns nothing for this item\.? \[item 0\]$/,
			);
			expect(error?.message).toContain(label);
		}
		expect(await received(workspace)).toEqual([]);
	});

	test('what the user left empty without an expression is called empty', async () => {
		const { run } = await testWorkspace({ contacts: 0 });
		const { error } = await run({
			resource: 'message',
			operation: 'send',
			identifier: contact,
			text: '',
		});
		expect(error?.message).toContain('Enter a message');
	});

	test('a caption may be empty beside a file', async () => {
		const { run, workspace } = await testWorkspace({ contacts: 1, service: 'newer' });
		const [{ id }] = (await workspace.state()).contacts;
		const parameters = {
			resource: 'message',
			operation: 'send',
			identifier: by('id', id),
			text: empty,
			attachments: 'data',
		};
		const { error, json } = await run(parameters, [{}], { files: [{ data: pdf }] });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ success: true, attachments: [{ mimeType: 'application/pdf' }] }]);
	});
});
