import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Happening } from '../../../../sandbox/services/newer/webhooks/events';
import {
	commonOutput,
	instantEvents,
} from '../../../../nodes/WorkspaceMessaging/trigger/instant/events';
import { InstantHost } from '../../../support/engine/instantHost';
import { testWorkspace } from '../../../support/engine/workspace';

/* Published triggers, and a service that calls them over HTTP. */

const hosts: InstantHost[] = [];
afterEach(async () => {
	for (const host of hosts.splice(0)) await host.close();
});

/** A workspace, and an n8n with a workflow that is published. */
async function published(parameters: INodeParameters) {
	const { workspace } = await testWorkspace({
		service: 'newer',
		contacts: 3,
		allowPrivateUrls: true,
	});
	const host = new InstantHost(
		{ baseUrl: workspace.url, accessToken: workspace.token },
		parameters,
	);
	hosts.push(await host.listen());
	await host.publish();
	const { contacts, tags, sequences, customFields, flows } = await workspace.state();
	return { workspace, host, contact: contacts[0], tags, sequences, customFields, flows };
}

/** Returns the setting that chooses the first record of a list, as the editor saves it. */
const chosen = (id: string) => ({ __rl: true, mode: 'list', value: id, cachedResultName: 'Name' });

type State = Awaited<ReturnType<typeof published>>;

/** The settings of an event by what is in the workspace, and what happens there. */
const events: Record<
	string,
	[settings: (state: State) => INodeParameters, happening: (state: State) => Partial<Happening>]
> = {
	archived: [() => ({}), () => ({})],
	contactInfoUpdated: [
		() => ({ infoType: 'phone' }),
		() => ({ sourceId: 'phone', value: '+4915100000009' }),
	],
	contactUnsubscribedFromBroadcast: [
		() => ({}),
		() => ({ type: 'contactUnsubscribedFormBroadcast' }),
	],
	conversationAssigned: [() => ({}), () => ({ to: '1' })],
	conversationTransferredToBot: [() => ({}), () => ({})],
	conversationTransferredToHuman: [() => ({}), () => ({})],
	conversationUnassigned: [() => ({}), () => ({})],
	customFieldValueChanged: [
		({ customFields }) => ({ customFieldId: chosen(customFields[0].id) }),
		({ customFields }) => ({ sourceId: customFields[0].id, value: '1' }),
	],
	followUp: [() => ({}), () => ({})],
	newContact: [() => ({}), () => ({})],
	subscribedToSequence: [
		({ sequences }) => ({ sequenceId: chosen(sequences[0].id) }),
		({ sequences }) => ({ sourceId: sequences[0].id }),
	],
	tagApplied: [
		({ tags }) => ({ tagId: chosen(tags[0].id) }),
		({ tags }) => ({ sourceId: tags[0].id }),
	],
	tagRemoved: [
		({ tags }) => ({ tagId: chosen(tags[0].id) }),
		({ tags }) => ({ sourceId: tags[0].id }),
	],
	unsubscribedFromSequence: [
		({ sequences }) => ({ sequenceId: chosen(sequences[0].id) }),
		({ sequences }) => ({ sourceId: sequences[0].id }),
	],
};

test('Every event of the service happens in these tests', () => {
	expect(Object.keys(events).sort()).toEqual(
		instantEvents
			.map(({ value }) => value)
			// Those of flows have tests of their own.
			.filter((value) => value !== 'flowSendsData' && value !== 'messageReceivedAtOnce')
			.sort(),
	);
});

test.each(Object.keys(events))(
	'%s in the workspace starts the workflow, with exactly the fields of the schema',
	async (event) => {
		const [settingsOf, happeningOf] = events[event];
		const state = await published({ event: 'archived' });
		const { workspace, host, contact } = state;
		host.parameters = { event, ...settingsOf(state) };
		await host.publish('update');
		const happening = {
			type: event,
			identifier: `id:${contact.id}`,
			...happeningOf(state),
		} as Happening;
		const deliveries = await workspace.happen(happening);
		expect(deliveries).toMatchObject([{ status: 200 }]);
		expect(host.items).toHaveLength(1);
		const { output } = instantEvents.find(({ value }) => value === event)!;
		const schema = z.strictObject({
			...commonOutput,
			contact: commonOutput.contact.strict(),
			...output,
		});
		expect(schema.safeParse(host.items[0]).error).toBeUndefined();
		expect(host.items[0]).toMatchObject({ event, contact: { id: contact.id }, contactRead: true });
		await host.unpublish();
		expect(await workspace.happen(happening)).toEqual([]);
	},
);

test('A contact that writes for the first time starts the workflow', async () => {
	const { workspace, host } = await published({ event: 'newContact', readContact: false });
	const { contact } = await workspace.arrive({
		firstName: 'Ann',
		lastName: 'Lee',
		phoneNumber: '+4915100000001',
	});
	expect(host.items).toMatchObject([
		{
			event: 'newContact',
			contact: {
				id: contact.id,
				fullName: 'Ann Lee',
				firstName: 'Ann',
				email: null,
				phoneNumber: '+4915100000001',
			},
		},
	]);
});

test('Another tag starts nothing', async () => {
	const { workspace, host, tags, contact } = await published({ event: 'archived' });
	host.parameters = { event: 'tagApplied', tagId: chosen(tags[0].id) };
	await host.publish('update');
	const happening = { type: 'tagApplied', identifier: `id:${contact.id}` } as const;
	expect(await workspace.happen({ ...happening, sourceId: tags[1].id })).toEqual([]);
	expect(host.items).toEqual([]);
});

test.each<[INodeParameters, number]>([
	[{}, 3],
	[{ operator: 'eq', value: 'pro' }, 1],
	[{ operator: 'ne', value: 'pro' }, 2],
	[{ operator: 'contains', value: 'pr' }, 1],
	[{ operator: 'isEmpty' }, 1],
	[{ operator: 'isNotEmpty' }, 2],
])(
	'Custom Field Changed with %j starts the workflow for %i of three values',
	async (comparison, count) => {
		const { workspace, host, customFields, contact } = await published({ event: 'archived' });
		const field = customFields.find(({ type }) => type === 'shortText')!;
		host.parameters = {
			event: 'customFieldValueChanged',
			customFieldId: chosen(field.id),
			...comparison,
		};
		await host.publish('update');
		for (const value of ['pro', 'free', ''])
			await workspace.happen({
				type: 'customFieldValueChanged',
				identifier: `id:${contact.id}`,
				sourceId: field.id,
				value,
			});
		expect(host.items).toHaveLength(count);
	},
);

describe('Flow Sends Data', () => {
	const parameters = { event: 'flowSendsData', eventName: 'order_paid' };

	/**
	 * Runs a flow with a step that sends these events, for a contact, and returns the branch that it
	 * took.
	 */
	async function runFlow(
		{ workspace, flows, contact }: State,
		sent: string[],
	): Promise<string | undefined> {
		const [{ id }] = flows;
		await workspace.flowCalls(id, sent);
		await fetch(`${workspace.url}/api/v1/contacts/id:${contact.id}/flows`, {
			method: 'POST',
			headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
			body: JSON.stringify({ flowId: id }),
		});
		for (;;) {
			const run = (await workspace.journal()).flowRuns.at(-1);
			if (run?.branch) return run.branch;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}

	test('starts the workflow for its event, and the flow takes the success branch', async () => {
		const state = await published(parameters);
		expect(await runFlow(state, ['order_paid'])).toBe('success');
		expect(state.host.items).toHaveLength(1);
		const { output } = instantEvents.find(({ value }) => value === 'flowSendsData')!;
		const schema = z.strictObject({
			...commonOutput,
			contact: commonOutput.contact.strict(),
			...output,
		});
		expect(schema.safeParse(state.host.items[0]).error).toBeUndefined();
		const { contact, customFields, tags } = state.host.items[0] as {
			contact: IDataObject;
		} & IDataObject;
		expect(contact).toMatchObject({ id: state.contact.id, customFields });
		expect(tags).not.toEqual([]);
		expect((contact.tags as string[]).toSorted()).toEqual((tags as string[]).toSorted());
	});

	test('starts nothing for another event', async () => {
		const state = await published(parameters);
		expect(await runFlow(state, ['Order_Paid', 'order_cancelled'])).toBe('success');
		expect(state.host.items).toEqual([]);
	});

	test('lets the flow take its error branch if the contact is gone', async () => {
		const state = await published(parameters);
		const gone = { match: { operation: 'getContact' as const }, status: 404, code: 'notFound' };
		await state.workspace.faults({ fail: [gone] });
		expect(await runFlow(state, ['order_paid'])).toBe('error');
		expect(state.host.items).toEqual([]);
	});
});

describe('If another trigger of the workflow saved an older copy of the data of all nodes, so that the key is lost', () => {
	test('calls are still accepted, because the service knows the key', async () => {
		const { workspace, host, contact } = await published({ event: 'archived' });
		host.database.staticData = {};
		expect(
			await workspace.happen({ type: 'archived', identifier: `id:${contact.id}` }),
		).toMatchObject([{ status: 200 }]);
		expect(host.items).toHaveLength(1);
	});

	test('forged calls are still refused', async () => {
		const { host, contact } = await published({ event: 'archived' });
		host.database.staticData = {};
		const call = { event: 'conversation_archived', contact_id: contact.id };
		expect((await host.call({ key: 'forged' }, call)).status).toBe(401);
		expect((await host.call({}, call)).status).toBe(401);
		expect(host.items).toEqual([]);
	});
});
