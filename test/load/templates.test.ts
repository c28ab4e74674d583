import { by, fromItem } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';

/** How many contacts get a template. */
const CONTACTS = 2000;

test('2,000 contacts get a template once each although a fifth of the answers is lost', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0, service: 'newer', newest: true });
	const { channels, templates } = await workspace.state();
	const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
	const contacts = await workspace.addContacts(
		Array.from({ length: CONTACTS }, (_, index) => ({
			firstName: `Person ${index}`,
			inboxIds: [whatsapp.id],
		})),
	);
	await workspace.clearJournal();
	const match = { operation: 'sendWhatsappTemplate' } as const;
	await workspace.faults({ seed: 7, dropAfter: { match, rate: 0.2 }, rateLimit: null });
	const { json, error } = await run(
		{
			resource: 'message',
			operation: 'sendTemplate',
			identifier: by('id', fromItem('id')),
			templateId: by('id', templates[0].id),
			templateParams: {
				mappingMode: 'defineBelow',
				value: { body_1: fromItem('firstName'), body_2: 'A-100' },
			},
		},
		contacts.map(({ id, firstName }) => ({ id, firstName })),
	);
	expect(error?.message).toBeUndefined();
	expect(json).toHaveLength(CONTACTS);
	const sent = (await workspace.journal()).templates;
	expect(sent.filter(({ delivered }) => !delivered)).toEqual([]);
	expect(sent.map(({ contactId }) => contactId).sort()).toEqual(
		contacts.map(({ id }) => id).sort(),
	);
	const { byFault, byOperation } = await workspace.summary();
	expect(byFault.dropAfter).toBeGreaterThan(CONTACTS / 10);
	// The contacts come from their list, the template and its places are read once.
	expect(byOperation).toMatchObject({ listTemplateMessages: 1, getWhatsappTemplate: 1 });
	expect(byOperation.getContact ?? 0).toBeLessThan(10);
}, 400_000);
