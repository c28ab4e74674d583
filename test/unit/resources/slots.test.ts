import { Slots } from '../../../nodes/WorkspaceMessaging/resources/shared/slots';

/** A task that ends when the test says so. */
function openTask() {
	let end = () => {};
	let fail = () => {};
	const done = new Promise<void>((resolve, reject) => {
		end = resolve;
		fail = () => reject(new Error('It failed'));
	});
	return { done, end, fail };
}

const settle = async () => await new Promise((resolve) => setImmediate(resolve));

test('Slots lets only so many tasks run at once, and the others in their order', async () => {
	const slots = new Slots(2);
	const tasks = [openTask(), openTask(), openTask(), openTask()];
	const begun: number[] = [];
	const runs = tasks.map(
		async ({ done }, index) =>
			await slots.run(async () => {
				begun.push(index);
				await done;
				return index;
			}),
	);
	await settle();
	expect(begun).toEqual([0, 1]);
	tasks[1].end();
	await settle();
	expect(begun).toEqual([0, 1, 2]);
	for (const { end } of tasks) end();
	expect(await Promise.all(runs)).toEqual([0, 1, 2, 3]);
});

test('Slots frees the slot of a task that fails', async () => {
	const slots = new Slots(1);
	const failing = openTask();
	const failed = slots.run(async () => await failing.done);
	const next = slots.run(async () => await Promise.resolve('next'));
	failing.fail();
	await expect(failed).rejects.toThrow('It failed');
	expect(await next).toBe('next');
	expect(await slots.run(async () => await Promise.resolve('last'))).toBe('last');
});
