import { FairQueue } from '../../../../nodes/WorkspaceMessaging/transport/rateLimit/bookkeeping';

const [first, second] = [{}, {}];
const filled = () => {
	const queue = new FairQueue<{ name: string; isPriority: boolean }>();
	for (const name of ['a1', 'a2', 'a3!', 'a4!'])
		queue.add(first, { name, isPriority: name.endsWith('!') });
	queue.add(second, { name: 'b1', isPriority: false });
	return queue;
};
const rest = (queue: ReturnType<typeof filled>) => {
	const names: string[] = [];
	while (!queue.isEmpty) names.push(queue.next()!.name);
	return names;
};

test('The queue alternates between executions and keeps the order within each', () => {
	expect(rest(filled())).toEqual(['a3!', 'b1', 'a4!', 'a1', 'a2']);
});

test('The queue puts an execution that returns behind the others', () => {
	const queue = filled();
	queue.next();
	queue.add(first, { name: 'a5', isPriority: false });
	expect(queue.next()?.name).toBe('b1');
});

test('The queue forgets a request that it hands out', () => {
	const queue = filled();
	const gone = queue.remove(({ isPriority }, execution) => execution === second || isPriority);
	expect(gone.map(({ name }) => name)).toEqual(['a3!', 'a4!', 'b1']);
	expect(rest(queue)).toEqual(['a1', 'a2']);
	expect(queue.next()).toBeUndefined();
});
