import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { casesOf, pairs } from '../../support/cases';
import {
	by,
	fromItem,
	parametersFor,
	received,
	writesOf,
	type Received,
} from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { watched } from '../../support/engine/triggerSupport';
import { fileOf } from '../import/helpers';
import { testWorkspace, workspaceWithAnn } from '../../support/engine/workspace';
import type { SandboxWorkspace } from '../../../sandbox/client';

/*
 * One rule for the names of custom fields, in all places that take one: exactly; else as it looks;
 * else regardless of case and white space, if one field fits; else an error that names those that do.
 */

const VALUE = '4711';

/** Adds custom fields of text, and a contact with the value of each of them. */
async function addFields(workspace: SandboxWorkspace, names: string[]) {
	const fields: Array<{ id: string; name: string }> = [];
	for (const name of names) {
		const { id } = await workspace.add('customFields', { name, type: 'shortText' });
		fields.push({ id, name });
	}
	const [{ id }] = await workspace.addContacts([
		{ email: 'ann@example.com', phoneNumber: '+4915100000001' },
	]);
	const operations = fields.map((field) => ({
		customFieldId: field.id,
		operation: 'set' as const,
		value: VALUE,
	}));
	await fetch(`${workspace.url}/api/v1/contacts/id:${id}/custom-fields`, {
		method: 'PATCH',
		headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
		body: JSON.stringify({ operations }),
	});
	await workspace.clearJournal();
	return { fields, contact: by('id', id), id };
}

const makeWorkspace = async (names: string[]) => {
	const { workspace, run } = await testWorkspace({
		...{ service: 'newer', contacts: 0, counts: { customFields: 0 }, importMs: 0 },
	});
	const { channels } = await workspace.state();
	const inbox = channels.find(({ channel }) => channel === 'whatsapp')!.id;
	return { workspace, run, inboxId: by('list', inbox), ...(await addFields(workspace, names)) };
};

type Made = Awaited<ReturnType<typeof makeWorkspace>>;

/** Uses a name, and returns the error, if there is one. */
type Use = (made: Made, name: string) => Promise<string | undefined>;

const contact = parametersFor('contact');

const runs =
	(
		parameters: (made: Made, name: string) => object,
		item: (name: string) => IDataObject = () => ({}),
	): Use =>
	async (made, name) => {
		const { operation, ...more } = parameters(made, name) as { operation: string };
		const { error } = await made.run(contact(operation, more), [item(name)]);
		return error?.message;
	};

const calls =
	(parameters: (made: Made, name: string) => object, json: (name: string) => IDataObject): Use =>
	async (made, name) => {
		const { operation, ...more } = parameters(made, name) as { operation: string };
		const call = toolOf(made.workspace, contact(operation, more));
		return await call(json(name)).then(
			() => undefined,
			({ message }: Error) => message,
		);
	};

const mapped = (name: string) => ({
	withCustomFields: true,
	customFields: { mappingMode: 'defineBelow', value: { [name]: 'new' } },
});
const automatic = {
	withCustomFields: true,
	customFields: { mappingMode: 'autoMapInputData', value: null },
};
const asColumn = (name: string) => ({ [name]: 'new' });
const condition = (customField: string) => ({
	conditions: { customFields: [{ customField, textOperator: 'eq', text: VALUE }] },
});
const fromItems = { source: 'items', phoneNumber: '+4915100000002' };
const email = 'ann@example.com';

/** Imports a file with a column of numbers and one more. */
const importsFile =
	(column: (name: string) => string, more: (name: string) => object): Use =>
	async ({ run, inboxId }, name) => {
		const parameters = { source: 'input', inboxId, ...more(name) };
		const files = [fileOf(`phone,${column(name)}\n+4915100000002,new\n`)];
		const { error } = await run(contact('import', parameters), [{}], { files });
		return error?.message;
	};

/** All places that take the name of a custom field. */
const places: Array<[place: string, use: Use]> = [
	[
		'Contact by Custom Field',
		runs((_, name) => ({ operation: 'get', identifier: by('customField', `${name} = ${VALUE}`) })),
	],
	[
		'the contact of a tool',
		calls(
			() => ({ operation: 'get', contact: fromItem('who') }),
			(name) => ({ who: `customField:${name} = ${VALUE}` }),
		),
	],
	[
		'the contact of Create or Update',
		runs((_, name) => ({
			operation: 'upsert',
			options: { identifier: by('customField', `${name}=${VALUE}`) },
			additionalFields: { lastName: 'Lee' },
		})),
	],
	[
		'Set Custom Fields',
		runs(({ contact }, name) => ({
			operation: 'setCustomFields',
			identifier: contact,
			...mapped(name),
		})),
	],
	[
		'Update',
		runs(({ contact }, name) => ({ operation: 'update', identifier: contact, ...mapped(name) })),
	],
	['Create or Update', runs((_, name) => ({ operation: 'upsert', email, ...mapped(name) }))],
	[
		'Set Custom Fields as a tool',
		calls(
			({ id }, name) => ({ operation: 'setCustomFields', contact: id, ...mapped(name) }),
			() => ({}),
		),
	],
	[
		'a column of Set Custom Fields',
		runs(
			({ contact }) => ({ operation: 'setCustomFields', identifier: contact, ...automatic }),
			asColumn,
		),
	],
	[
		'a column of Create or Update',
		runs(() => ({ operation: 'upsert', email, ...automatic }), asColumn),
	],
	[
		'Import From Items',
		runs(({ inboxId }, name) => ({ operation: 'import', inboxId, ...fromItems, ...mapped(name) })),
	],
	[
		'a column of Import From Items',
		runs(({ inboxId }) => ({ operation: 'import', inboxId, ...fromItems, ...automatic }), asColumn),
	],
	[
		'a column of an imported file',
		importsFile(
			(name) => `"${name}"`,
			() => ({}),
		),
	],
	[
		'Custom Field Columns of Import',
		importsFile(
			() => 'Note',
			(name) => ({
				options: { fieldMapping: { columns: [{ column: 'Note', customFieldId: name }] } },
			}),
		),
	],
	[
		'Clear Custom Field',
		runs(({ contact }, name) => ({
			operation: 'clearCustomField',
			identifier: contact,
			customFieldId: by('id', name),
		})),
	],
	[
		'a condition by an expression',
		runs((_, name) => ({
			operation: 'getAll',
			returnAll: true,
			...condition(`={{ ${JSON.stringify(name)} }}`),
		})),
	],
	[
		'a condition with its kind',
		runs((_, name) => ({ operation: 'count', ...condition(`${name}:text`) })),
	],
];

/** Which of the custom fields the requests name. */
function usedIn(requests: Received[], fields: Array<{ id: string; name: string }>): string[] {
	const text = requests
		.map(({ path, body }) => decodeURIComponent(path) + JSON.stringify(body ?? ''))
		.join();
	return fields.filter(({ id }) => new RegExp(`\\b${id}\\b`).test(text)).map(({ name }) => name);
}

/** Returns the places, each with some of the names. */
const placesWith = (names: string[]) =>
	pairs(places, names).map(([[place, use], name]) => [place, name, use] as const);

describe('The name of a custom field', () => {
	test.each(placesWith(['order no', 'orderno', ' ORDER  NO ']))(
		'in %s may be %j for Order No',
		async (_, name, use) => {
			const made = await makeWorkspace(['Order No', 'Orders', 'No']);
			expect(await use(made, name)).toBeUndefined();
			expect(usedIn(await received(made.workspace), made.fields)).toEqual(['Order No']);
		},
	);

	test.each(placesWith(['Order No', 'order no', 'OrderNo']))(
		'in %s is exactly %j if others are alike',
		async (_, name, use) => {
			const made = await makeWorkspace(['order no', 'Order No', 'OrderNo']);
			expect(await use(made, name)).toBeUndefined();
			expect(usedIn(await received(made.workspace), made.fields)).toEqual([name]);
		},
	);

	const alike = [
		'Gr\u00f6\u00dfe',
		'Gro\u0308\u00dfe',
		'Gr\u00f6\u00dfe\u200b',
		'\u2066gro\u0308\u00ad\u00dfe\u2069',
	];
	test.each(pairs(alike, places))(
		'may be %j for a field that looks the same',
		async (name, [, use]) => {
			const made = await makeWorkspace(['Gr\u00f6\u00dfe', 'Gro\u00dfe', 'Gr\u00f6\u00dfen']);
			expect(await use(made, name)).toBeUndefined();
			expect(usedIn(await received(made.workspace), made.fields)).toEqual(['Gr\u00f6\u00dfe']);
		},
	);

	test.each(places)(
		'in %s is an error that names the fields if several are alike, and changes nothing',
		async (_, use) => {
			const made = await makeWorkspace(['Order No', 'OrderNo', 'Plan']);
			const [one, two] = made.fields;
			expect(await use(made, 'orderno')).toContain(
				`2 custom fields fit the name "orderno": "OrderNo" (${two.id}), "Order No" (${one.id}).`,
			);
			expect(usedIn(await received(made.workspace), made.fields)).toEqual([]);
		},
	);

	test.each(casesOf(places.slice(0, 1), places.slice(1)))(
		'in %s is an error that names the fields if several have exactly this name',
		async (_, use) => {
			const made = await makeWorkspace(['Order No', 'Order No']);
			const [one, two] = made.fields;
			expect(await use(made, 'Order No')).toContain(
				`2 custom fields fit the name "Order No": "Order No" (${two.id}), "Order No" (${one.id}).`,
			);
		},
	);
});

test('The conditions of the trigger take the name of a custom field by the same rule', async () => {
	const named = (name: string) =>
		condition(`={{ ${JSON.stringify(name)} }}`).conditions as INodeParameters;
	const parameters: INodeParameters = { event: 'contactCreated', conditions: named('orderno') };
	const { workspace, host } = await watched(parameters, {
		...{ contacts: 0, service: 'newer', counts: { customFields: 0 } },
	});
	const { fields } = await addFields(workspace, ['Order No', 'Orders']);
	await host.activate();
	await host.poll();
	expect(usedIn(await received(workspace), fields)).toEqual(['Order No']);
	const two = await workspace.add('customFields', { name: 'OrderNo', type: 'shortText' });
	await expect(host.poll()).rejects.toThrow(
		`2 custom fields fit the name "orderno": "OrderNo" (${two.id}), "Order No" (${fields[0].id}).`,
	);
});

test('Clear Custom Field with Ignore Not Found succeeds without a field of this name', async () => {
	const made = await makeWorkspace(['Order No']);
	const clear = async (options: INodeParameters) =>
		await made.run(
			contact('clearCustomField', {
				...{ identifier: made.contact, customFieldId: by('id', 'Plan'), options },
			}),
		);
	expect((await clear({})).error?.message).toBe(
		'The workspace has no custom field with the ID or name "Plan". Nothing was changed. The workspace has: "Order No". [item 0]',
	);
	expect((await clear({ ignoreMissing: true })).json).toMatchObject([
		{ cleared: false, clearedCustomField: 'Plan' },
	]);
	const { json } = await made.run(
		contact('clearCustomField', {
			identifier: made.contact,
			customFieldId: by('id', 'orderno'),
		}),
	);
	expect(json).toMatchObject([{ cleared: true, clearedCustomField: 'orderno' }]);
});

test('Clear Custom Field with Ignore Not Found reports a name that an older service may have and not list', async () => {
	const { workspace, run } = await workspaceWithAnn({
		service: 'older',
		counts: { customFields: 60 },
	});
	const [hidden] = (await workspace.state()).customFields;
	const { error } = await run(
		contact('clearCustomField', {
			identifier: by('email', email),
			customFieldId: by('id', hidden.name),
			options: { ignoreMissing: true },
		}),
	);
	expect(error?.message).toContain('The service only lists its first 50 custom fields.');
	expect(await writesOf(workspace)).toEqual([]);
});
