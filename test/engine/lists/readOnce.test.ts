import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import {
	everyOperation,
	newerOperations,
	newestOperations,
	operations,
} from '../../support/operations';

/** What differs from item to item, by the operation. */
const parameters: Record<string, INodeParameters> = {
	'contact.addTags': { tagsBy: 'names', tagNames: fromItem('tag') },
	'contact.setTags': { tagsBy: 'names', tagNames: fromItem('tag') },
	'contact.addToSequences': { sequencesBy: 'names', sequenceNames: fromItem('sequence') },
	'contact.create': {
		email: fromItem('email'),
		phoneNumber: fromItem('phone'),
		additionalFields: { inboxId: by('id', fromItem('channel')) },
		withCustomFields: true,
		customFields: { mappingMode: 'autoMapInputData', value: null },
	},
	'contact.get': {},
	'contact.setCustomFields': {},
	'conversation.assign': { memberId: by('id', fromItem('member')) },
	'conversation.getMessages': {},
	'message.send': { options: { sendOnce: 'Spring' } },
	'message.sendTemplate': {},
};

test.each(Object.keys(parameters))('%s reads nothing twice for ten items', async (name) => {
	const { workspace, run } = await testWorkspace({
		contacts: 20,
		service: 'newer',
		newest: true,
	});
	const state = await workspace.state();
	const { contacts, tags, sequences, members } = state;
	const all = [...operations, ...newerOperations, ...newestOperations];
	const channels = state.channels.filter(({ channel }) => /^(whatsapp|webchat)$/.test(channel));
	const [field] = state.customFields;
	for (const { id } of contacts)
		await workspace.write(`id:${id}`, { text: 'Hi', inboxId: channels[0].id });
	const items = contacts.slice(0, 10).map(({ id }, nth) => ({
		id,
		tag: tags[nth % tags.length].name,
		sequence: sequences[nth % sequences.length].name,
		member: members[nth % members.length].id,
		channel: channels[nth % channels.length].id,
		email: `new${nth}@example.com`,
		phone: `+4915112345${nth}67`,
		[field.name]: 'Blue',
	}));
	const call = { ...everyOperation(state, all)[name], identifier: by('id', fromItem('id')) };
	await workspace.clearJournal();
	const { error } = await run({ ...call, ...parameters[name] }, items);
	expect(error?.message).toBeUndefined();
	const { requests } = await workspace.journal();
	const reads = requests.filter(({ method }) => method === 'GET').map(({ path }) => path);
	expect(reads).toEqual([...new Set(reads)]);
});
