import { chatWithAnn } from '../../support/engine/chat';
import { by } from '../../support/engine/helpers';
import { slowRequests } from '../../support/engine/slowRequests';
import { SubWorkflows } from '../../support/engine/subWorkflows';
import { limitWait } from '../../support/limitWait';

/* Questions in the chat at a service that is slow, or fails while n8n writes. */

type Test = Awaited<ReturnType<typeof chatWithAnn>>;

const hour = limitWait({ resumeAmount: 1, resumeUnit: 'hours' }, {});
const colors = { responseType: 'choices', choices: ['Red', 'Blue'], ...hour };
const onlyOnce = { requestOptions: { maxRetries: 0 } };

/** Asks Ann once more, in another execution. */
async function askAgain({ ask, workspace }: Test) {
	const others = new SubWorkflows({ baseUrl: workspace.url, accessToken: workspace.token });
	const { executeWorkflow } = others;
	const { error } = await ask({ message: 'Which size?', ...hour }, undefined, { executeWorkflow });
	expect(error?.message).toBeUndefined();
	return others;
}

/** Wakes the workflow that waits for the first question, if it does. Returns the output. */
async function goOn({ subWorkflows }: Test, { json, run }: Awaited<ReturnType<Test['ask']>>) {
	if (!run.waitTill) return json[0];
	const [output] = await subWorkflows.wake();
	expect(subWorkflows.waitTill).toBeUndefined();
	return output.json;
}

test('At a service that takes two seconds for each request, the node itself takes the answer, and returns the bot', async () => {
	const test = await chatWithAnn();
	const stop = slowRequests(() => 1000);
	const { json, run } = await test.ask(colors, async () => await test.write('Red')).finally(stop);
	expect(run.waitTill).toBeUndefined();
	expect(json[0].data).toMatchObject({ choice: 'Red' });
	const [{ conversation }] = (await test.workspace.state()).contacts;
	expect(conversation).toMatchObject({ botEnabled: true });
});

test('At a service that takes a second for a request, the answer after 20 seconds is not lost, although the contact writes on and is asked again', async () => {
	const test = await chatWithAnn();
	let pauses = 0;
	const stop = slowRequests((way) => (way === 'back' ? 1000 : 0));
	const asked = await test
		.ask(colors, async () => {
			if (++pauses === 4) await test.write('Red');
		})
		.finally(stop);
	await test.write('thanks');
	await askAgain(test);
	expect((await goOn(test, asked)).data).toMatchObject({ answer: 'Red', choice: 'Red' });
});

test('An answer that is noted is the answer, although the answer to the writing got lost and another question has the note', async () => {
	const test = await chatWithAnn();
	const { workspace } = test;
	const write = { operation: 'setContactCustomFields' as const };
	let pauses = 0;
	const asked = await test.ask({ ...colors, ...onlyOnce }, async () => {
		pauses++;
		if (pauses === 4) {
			await test.write('Red');
			await workspace.faults({ fail: [{ status: 503, after: true, match: write }] });
		}
		if (pauses === 5) await workspace.faults({ fail: [{ status: 503 }] });
	});
	await workspace.faults({ fail: null });
	await test.write('thanks');
	const others = await askAgain(test);
	expect((await goOn(test, asked)).data).toMatchObject({ answer: 'Red', choice: 'Red' });
	await test.write('yes');
	const [second] = await others.wake();
	expect(second.json.data).toMatchObject({ answer: 'yes' });
});

describe('A question that is cancelled stays so', () => {
	const cancel = async ({ run, ann }: Test) => {
		const parameters = { resource: 'message', operation: 'cancelQuestion' };
		const { json } = await run({ ...parameters, identifier: by('id', ann.id) });
		expect(json[0]).toMatchObject({ cancelled: true });
	};

	test.each([1, 2, 3])('if that happens before the reading request %i of a look', async (nth) => {
		const test = await chatWithAnn();
		await test.ask(colors);
		await test.write('Hm');
		let reads = 0;
		const stop = slowRequests(
			() => 0,
			async ({ method }) => {
				if (method === 'GET' && ++reads === nth) await cancel(test);
			},
		);
		await test.subWorkflows.wake().finally(stop);
		expect(reads).toBeGreaterThanOrEqual(nth);
		await askAgain(test);
	});

	test('if a look has sent what it writes before n8n has cancelled it, and it arrives later', async () => {
		const test = await chatWithAnn();
		await test.ask(colors);
		await test.write('Hm');
		let cancelling: Promise<void> | undefined;
		let letLookWrite = () => {};
		const isCancelWritten = new Promise<void>((resolve) => (letLookWrite = resolve));
		let writes = 0;
		const stop = slowRequests(
			() => 0,
			async ({ method }) => {
				if (method === 'PATCH') writes++;
				if (method === 'PATCH' && writes === 1) {
					cancelling = cancel(test);
					await isCancelWritten;
				} else if (method === 'GET' && writes === 2) {
					letLookWrite();
					await looking;
				}
			},
		);
		const looking = test.subWorkflows.wake();
		await looking;
		await cancelling;
		stop();
		await askAgain(test);
	});
});
