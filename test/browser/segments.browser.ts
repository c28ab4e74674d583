import { credentialFor } from '../../scripts/examples';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { furnish } from '../support/browser/workspace';

let stage: Stage;

beforeAll(async () => {
	stage = await setStage('token-of-segments', {
		contacts: 0,
		counts: { tags: 0, customFields: 0, flows: 0 },
	});
	await furnish(stage.workspace);
	await stage.n8n.client.importCredential(credentialFor(stage.workspace));
});

afterAll(async () => {
	await stage?.stop();
});

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Contacts of whom each lacks another part of the segment, except for two. */
async function addPeople({ workspace }: Stage): Promise<void> {
	const plan = await workspace.add('customFields', {
		name: 'Plan',
		type: 'shortText',
		description: null,
	});
	const vip = (await workspace.state()).tags.find(({ name }) => name === 'VIP')!.id;
	const person = (firstName: string, days: number, tagIds: string[], value?: string) => ({
		contact: { firstName, createdAt: daysAgo(days), tagIds },
		value,
	});
	const people = [
		person('Ann', 2, [vip], 'pro'),
		person('Bob', 6, [vip], 'Pro'),
		person('Untagged', 2, [], 'pro'),
		person('Old', 8, [vip], 'pro'),
		person('Free', 2, [vip], 'free'),
		person('Without', 2, [vip]),
	];
	const contacts = await workspace.addContacts(people.map(({ contact }) => contact));
	for (const [index, { value }] of people.entries()) {
		if (value === undefined) continue;
		const answer = await fetch(
			`${workspace.url}/api/v1/contacts/id:${contacts[index].id}/custom-fields`,
			{
				method: 'PATCH',
				headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
				body: JSON.stringify({ operations: [{ customFieldId: plan.id, operation: 'set', value }] }),
			},
		);
		expect(answer.ok).toBe(true);
	}
}

describe('The user filters contacts by mouse', () => {
	it(
		'by the tag VIP, created in the last 7 days and Plan = pro',
		see(async (all) => {
			const { editor } = all;
			await addPeople(all);
			await editor.newWorkflowWith('Get many contacts');
			const match = editor.parameters.getByText('Contacts Must Meet');
			expect(await match.count()).toBe(0);
			await editor.addRow('Add Condition', 'Tag');
			await match.waitFor();
			await editor.select('tagIds', 'VIP');
			await editor.page.keyboard.press('Escape');
			await editor.addRow('Add Condition', 'Date (created, last read…)');
			await editor.addRow('Add Condition', 'Custom Field');
			await editor.select('customField', 'Plan – Short text');
			await editor.fill('text', 'pro');
			await editor.release();
			await editor.execute();
			await editor.output.getByText('2 items').first().waitFor();
			await editor.output.getByText('Ann').first().waitFor();
			await editor.output.getByText('Bob').first().waitFor();
			await editor.picture('conditions', editor.parameters, editor.output);
			// No ID and no JSON.
			expect(editor.typed).toEqual(['pro']);
		}),
	);
});
