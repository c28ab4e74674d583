import type { WorkspaceOptions } from '../../sandbox/options';
import { service } from './service';

const calls = ['tags', 'tags/remove', 'sequences', 'sequences/remove'] as const;
type Call = (typeof calls)[number];
const ofTags = (call: Call) => call.startsWith('tags');

/** A workspace of the newest kind, and a bulk call to it. */
async function bulk(options: WorkspaceOptions = {}) {
	const made = await service('newer', { newest: true, ...options });
	const { client, state, workspace } = made;
	const ids = state.contacts.map(({ id }) => id);
	const send = (call: Call, contactIds: unknown, choice: unknown, headers = {}) =>
		client.send(
			'POST',
			`contacts/bulk/${call}`,
			{ contactIds, [ofTags(call) ? 'tags' : 'sequenceIds']: choice },
			{ headers },
		);
	const tagsOf = async (id: string) => {
		const { tags } = await workspace.contact(`id:${id}`);
		return tags.map(({ name }) => name);
	};
	const sequencesOf = async (sequenceId: string) => {
		const condition = { field: 'subscribedToDripCampaign', operator: 'in', value: [sequenceId] };
		const contactFilter = { operator: 'and', conditions: [condition] };
		const { json } = await client.send('POST', 'contacts/search', { contactFilter });
		return json.data.map(({ id }: { id: string }) => id).toSorted();
	};
	return { ...made, ids, send, tagsOf, sequencesOf };
}

const many = (count: number, make: (index: number) => string = (index) => String(index + 1)) =>
	Array.from({ length: count }, (_, index) => make(index));

describe('A bulk call', () => {
	test.each([
		['newer', { newest: true }, [422, 422, 422, 422]],
		['newer', {}, [422, 404, 422, 404]],
		// There, the path is that of the tags of one contact, with an identifier `bulk`.
		['older', {}, [400, 404, 404, 404]],
		['reference', {}, [400, 404, 404, 404]],
	] as const)('is answered by the service %s with %j: %j', async (name, options, statuses) => {
		const { client } = await service(name, options);
		const replies = await Promise.all(
			calls.map((call) => client.send('POST', `contacts/bulk/${call}`, { contactIds: [] })),
		);
		expect(replies.map(({ status }) => status)).toEqual(statuses);
		if (name === 'reference') return;
		const missing = replies.filter(({ status }) => status === 404);
		expect(missing.map(({ text }) => text)).toEqual(missing.map(() => 'Not found'));
	});

	test('of the older kind that names tags is refused for the IDs of tags', async () => {
		const { client, contact } = await service('older');
		const body = { contactIds: [contact.id], tags: ['VIP'] };
		const { json } = await client.send('POST', 'contacts/bulk/tags', body);
		expect([json.code, json.data.issues[0].path]).toEqual(['BAD_REQUEST', ['tagIds']]);
	});

	test.each(calls)('of %s needs the scope of contacts, and a token that writes', async (call) => {
		const { send, ids } = await bulk({ token: { scopes: ['broadcasts'] } });
		expect((await send(call, ids, ['VIP'])).json.message).toBe(
			"Token is not authorized for the 'contacts' scope",
		);
		const reader = await bulk({ token: { readOnly: true } });
		expect((await reader.send(call, ids, ['VIP'])).status).toBe(403);
	});

	test.each(
		calls.flatMap((call) => {
			const choice = ofTags(call) ? ['VIP'] : ['1'];
			const part = ofTags(call) ? 'tags' : 'sequenceIds';
			return [
				[call, 'no contact', [], choice, 'contactIds'],
				[call, '1,001 contacts', many(1001), choice, 'contactIds'],
				[call, 'a number as the ID of a contact', [1], choice, 'contactIds.0'],
				[call, 'an ID without a digit', ['x'], choice, 'contactIds.0'],
				[call, 'an empty choice', ['1'], [], part],
				[call, 'a choice of 21', ['1'], many(21), part],
				[call, 'a number in the choice', ['1'], [1], `${part}.0`],
			] as const;
		}),
	)('of %s refuses %s', async (call, _, contactIds, choice, path) => {
		const { send } = await bulk();
		const { status, json } = await send(call, contactIds, choice);
		expect([status, json.code]).toEqual([422, 'invalidRequestData']);
		expect(json.data.issues[0].path.join('.')).toBe(path);
	});

	test('takes 1,000 contacts and 20 tags, and answers how many it found', async () => {
		const { send, tagsOf, state } = await bulk({ contacts: 1000 });
		const ids = state.contacts.map(({ id }) => id);
		const { status, json } = await send(
			'tags',
			ids,
			many(20, (index) => `Tag ${index}`),
		);
		expect([status, json]).toEqual([200, { processed: 1000, skippedContactIds: [] }]);
		expect(await tagsOf(ids[999])).toEqual(expect.arrayContaining(['Tag 0', 'Tag 19']));
	});

	test('skips who does not exist, and counts who is named twice once', async () => {
		const { send, ids, tagsOf } = await bulk();
		const { json } = await send('tags', [ids[0], '4711', ids[0], 'a1', ids[1]], ['VIP']);
		expect(json).toEqual({ processed: 2, skippedContactIds: ['4711', 'a1'] });
		expect(await tagsOf(ids[1])).toContain('VIP');
	});

	test('skips whom the fault `skippedInBulk` names, although the contact exists', async () => {
		const { send, ids, workspace, tagsOf } = await bulk();
		await workspace.faults({ skippedInBulk: [ids[1]] });
		const { json } = await send('tags', ids, ['New']);
		expect(json).toEqual({ processed: 2, skippedContactIds: [ids[1]] });
		expect(await tagsOf(ids[1])).not.toContain('New');
	});

	test('is done once for its Idempotency-Key', async () => {
		const { send, ids, state } = await bulk();
		const headers = { 'idempotency-key': 'one' };
		const first = await send('tags', [ids[0]], ['New'], headers);
		await send('tags/remove', [ids[0]], ['New']);
		const again = await send('tags', [ids[0]], ['New'], headers);
		expect(again.json).toEqual(first.json);
		expect(again.headers.get('idempotent-replayed')).toBe('true');
		const other = await send('tags', [ids[0]], [state.tags[0].name], headers);
		expect(other.json.code).toBe('idempotencyKeyReused');
	});

	test('names no contact in the journal', async () => {
		const { send, ids, workspace } = await bulk();
		await send('tags', ids, ['New']);
		const [entry] = (await workspace.journal()).requests;
		expect([entry.operation, entry.contact]).toEqual(['bulkAddTags', undefined]);
	});
});

describe('Bulk tags', () => {
	test('keep the other tags, and are names whose letters count as they are', async () => {
		const { send, ids, tagsOf, state, workspace } = await bulk();
		const before = await tagsOf(ids[0]);
		await send('tags', ids, [' Newsletter ', 'newsletter', 'Café']);
		const names = ['Newsletter', 'newsletter', 'Café'];
		expect(before).toEqual(['VIP']);
		expect(await tagsOf(ids[0])).toEqual([...before, ...names]);
		const { tags } = await workspace.state();
		expect(tags.slice(state.tags.length).map(({ name }) => name)).toEqual(['newsletter']);
	});

	test('are removed by their names; no tag is made of an unknown one', async () => {
		const { send, ids, tagsOf, workspace, state } = await bulk();
		await send('tags', ids, ['VIP', 'Café']);
		const { status, json } = await send('tags/remove', ids, ['VIP', 'nobody has it']);
		expect([status, json.processed]).toEqual([200, 3]);
		for (const id of ids) {
			expect(await tagsOf(id)).toContain('Café');
			expect(await tagsOf(id)).not.toContain('VIP');
		}
		expect((await workspace.counts()).tags).toBe(state.tags.length);
	});
});

describe('Bulk sequences', () => {
	test('are added beside others, and removed', async () => {
		const { send, ids, state, sequencesOf } = await bulk();
		const [one, two] = state.sequences.map(({ id }) => id);
		await send('sequences', [ids[0]], [one]);
		const { json } = await send('sequences', ids, [two]);
		expect(json).toEqual({ processed: 3, skippedContactIds: [] });
		expect(await sequencesOf(one)).toEqual([ids[0]]);
		await send('sequences/remove', [ids[1]], [one, two]);
		expect(await sequencesOf(two)).toEqual([ids[0], ids[2]].toSorted());
	});

	test.each(['sequences', 'sequences/remove'] as const)(
		'one that does not exist fails the call of %s for all contacts',
		async (call) => {
			const { send, ids, state, sequencesOf } = await bulk();
			const [{ id: one }, { id: two }] = state.sequences;
			await send('sequences', [ids[0]], [one]);
			const { status, json } = await send(call, ids, [one, two, '4711']);
			expect([status, json.code, json.message]).toEqual([404, 'notFound', 'Sequence not found']);
			expect(await sequencesOf(one)).toEqual([ids[0]]);
			expect(await sequencesOf(two)).toEqual([]);
		},
	);
});
