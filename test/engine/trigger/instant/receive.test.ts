import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { simpleContact } from '../../../../nodes/WorkspaceMessaging/contacts/simplify';
import { archivedCall, called, subjectOf } from '../../../support/engine/instantSupport';

const archived: INodeParameters = { event: 'archived' };
const flow: INodeParameters = { event: 'flowSendsData', eventName: 'order_paid' };

const flowCall = (id: string): IDataObject => ({
	event: 'order_paid',
	contact: { id, firstName: 'Forged', fullName: 'Forged', workspaceId: '1' },
	custom_fields: [{ name: 'Plan', value: 'pro' }],
	tags: ['VIP'],
	contact_sequences: [{ sequenceId: '75', sequenceName: 'Onboarding' }],
});

describe('A call of the service', () => {
	test('starts the workflow with the contact as the service has it, and is answered with 200', async () => {
		const { host, id, query } = await called(archived);
		expect(await host.call(query, archivedCall(id))).toEqual({ status: 200, body: '' });
		expect(host.executions).toHaveLength(1);
		const [{ contact, receivedAt, ...rest }] = host.items;
		expect(contact).toMatchObject({ id, email: 'ann@example.com', tags: [] });
		expect(simpleContact.strict().safeParse(contact).error).toBeUndefined();
		expect(z.iso.datetime().safeParse(receivedAt).success).toBe(true);
		expect(rest).toEqual({
			event: 'archived',
			contactRead: true,
			conversationId: '7400000000000000001',
			archivedBy: 'system',
		});
	});

	test('brings the contact with all fields if Simplify is off', async () => {
		const { host, id, query } = await called({ ...archived, simplify: false });
		await host.call(query, archivedCall(id));
		expect(host.items[0].contact).toMatchObject({ id, workspaceId: expect.any(String) as string });
	});

	test('sends no request to the service if Read the Contact is off', async () => {
		const { host, id, query, workspace } = await called({ ...archived, readContact: false });
		await host.call(query, archivedCall(id));
		expect(host.items).toMatchObject([{ event: 'archived', contact: { id }, contactRead: false }]);
		expect((await workspace.summary()).requests).toBe(0);
	});

	test('of a flow replaces what the flow posted about the contact by what the service says', async () => {
		const { host, id, query } = await called(flow);
		await host.call(query, flowCall(id));
		expect(host.items[0]).toMatchObject({
			event: 'flowSendsData',
			eventName: 'order_paid',
			contact: { id, email: 'ann@example.com' },
			contactRead: true,
			customFields: { Plan: 'pro' },
			tags: ['VIP'],
			sequences: [{ id: '75', name: 'Onboarding' }],
		});
		expect(JSON.stringify(host.items)).not.toContain('Forged');
	});

	test('of a flow without Read the Contact brings what the flow posted', async () => {
		const { host, id, query } = await called({ ...flow, readContact: false });
		await host.call(query, flowCall(id));
		expect(host.items[0]).toMatchObject({
			contact: { id, fullName: 'Forged', tags: ['VIP'], customFields: { Plan: 'pro' } },
			contactRead: false,
		});
		expect(host.items[0].contact).not.toHaveProperty('workspaceId');
	});

	test.each([
		['rows', [{ name: 'VIP' }, { name: 'New' }]],
		['names', ['VIP', 'New']],
		['rows and what is no tag', [{ name: 'VIP' }, { id: '5' }, null, { name: 'New' }]],
	])(
		'of a flow names the tags, also those of the contact, if the service posts %s (difference 31)',
		async (_, tags) => {
			const { host, id, query } = await called({ ...flow, readContact: false });
			await host.call(query, { ...flowCall(id), tags });
			expect(host.items).toMatchObject([
				{ tags: ['VIP', 'New'], contact: { tags: ['VIP', 'New'] } },
			]);
		},
	);

	test('starts the workflow without the contact if the service fails', async () => {
		const { host, id, query, workspace } = await called(archived);
		await workspace.faults({ fail: [{ match: { operation: 'getContact' }, status: 403 }] });
		expect((await host.call(query, archivedCall(id))).status).toBe(200);
		expect(host.items).toMatchObject([
			{ contact: { id }, contactRead: false, conversationId: '7400000000000000001' },
		]);
	});

	test('starts the workflow without the contact if the service lacks the operation', async () => {
		const { host, id, query, workspace } = await called(archived);
		await workspace.faults({ missing: { getContact: 404 } });
		expect((await host.call(query, archivedCall(id))).status).toBe(200);
		expect(host.items).toMatchObject([{ contactRead: false }]);
	});
});

describe('The key of a call', () => {
	test('stays the same for the same settings, because n8n does not register published workflows again after an update', () => {
		const settings: INodeParameters[] = [
			{ event: 'archived' },
			{ event: 'contactUnsubscribedFromBroadcast' },
			{ event: 'contactInfoUpdated', infoType: 'email' },
			{ event: 'tagApplied', tagId: '5' },
			{ event: 'subscribedToSequence', sequenceId: '5' },
			{ event: 'customFieldValueChanged', customFieldId: '5', operator: '' },
			{ event: 'customFieldValueChanged', customFieldId: '5', operator: 'eq', value: 'pro' },
			{ event: 'flowSendsData', eventName: 'order_paid' },
		];
		expect(settings.map(subjectOf)).toEqual([
			'xa0bA8_3O8YtnM_2',
			'Gc3pApXVqc8yaq7d',
			'opd8HT9qpBoanGlZ',
			'dHgeGKDnd4wZDW7u',
			'E9bowyBjToJDvdvI',
			'tKMJGT4-f1BAJdSo',
			'1XoOcge4poLHw6BV',
			'4O_Ber5QDwB6stGt',
		]);
	});

	test('fits one event and what it is about only, because services call a little longer than the webhook exists', async () => {
		const parameters = { event: 'tagApplied', tagId: { __rl: true, mode: 'id', value: '5' } };
		expect(subjectOf({ ...parameters, tagId: '5' })).not.toBe(
			subjectOf({ ...parameters, tagId: '6' }),
		);
		expect(subjectOf({ ...parameters, tagId: '5' })).not.toBe(
			subjectOf({ event: 'tagRemoved', tagId: '5' }),
		);
		const { host, id, query } = await called({ ...parameters, tagId: '5' });
		const call = { event: 'tag_applied', contact_id: id, timestamp: '', tag: 'VIP' };
		expect((await host.call(query, call)).status).toBe(200);
		host.parameters = { ...parameters, tagId: '6' };
		expect((await host.call(query, call)).status).toBe(401);
		expect(host.items).toMatchObject([{ tag: { id: '5', name: 'VIP' } }]);
	});
});
