import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import type { Faults, WorkspaceOptions } from '../../../sandbox/options';
import { fromItem } from './helpers';
import { testWorkspace } from './workspace';
import { connect, type Kill } from './mortal';

/*
 * Rounds of one list: it runs several times while everything breaks, and once in the end while
 * nothing does. A plain model says what the tags of a contact mean.
 */

export const TAG = 'sent: win-back';

/** The services that rounds are played on. The newest takes many contacts in one request. */
export const faces = {
	newest: { service: 'newer', newest: true },
	newer: { service: 'newer' },
	reference: { service: 'reference' },
	older: { service: 'older' },
} satisfies Record<string, WorkspaceOptions>;

export type Face = keyof typeof faces;

/** What a contact's tags say. */
type Mark = 'none' | 'sent' | 'sending';

type Test = Awaited<ReturnType<typeof testWorkspace>>;

/** What a contact has: its tags, and its messages. */
export interface Person {
	id: string;
	mark: Mark;
	texts: string[];
}

/** Returns the contacts of a workspace with what they have. */
export async function peopleOf({ workspace }: Test): Promise<Person[]> {
	const [{ contacts }, { messages }] = await Promise.all([workspace.state(), workspace.journal()]);
	const texts = new Map<string, string[]>();
	for (const { contactId, text = '' } of messages)
		texts.set(contactId, [...(texts.get(contactId) ?? []), text.slice(0, 6)]);
	return contacts.map(({ id, tags }) => {
		const names = tags.map(({ name }) => name);
		let mark: Mark = names.includes(TAG) ? 'sent' : 'none';
		if (names.includes(`${TAG} (sending)`)) mark = 'sending';
		return { id, mark, texts: texts.get(id) ?? [] };
	});
}

/** Whether the tags of a contact are true, and it has nothing twice. A long text is two messages. */
function isRight({ mark, texts }: Person): boolean {
	if (new Set(texts).size < texts.length) return false;
	if (mark === 'none') return texts.length === 0;
	const isWhole = texts.length === (texts.some((text) => text.startsWith('1')) ? 2 : 1);
	return mark === 'sending' || isWhole;
}

/** Returns the contacts who break the promise. */
export const findBroken = (people: Person[]): Person[] =>
	people.filter((person) => !isRight(person));

/** One run of a list. */
interface Execution {
	rows: IDataObject[];
	requestOptions?: INodeParameters;
	onError?: INode['onError'];
	retryOnFail?: { maxTries: number; waitBetweenTries: number };
}

const parameters: INodeParameters = {
	resource: 'message',
	operation: 'send',
	identifier: { __rl: true, mode: 'id', value: fromItem('contact') },
	text: fromItem('text'),
	options: { sendOnce: TAG, splitLongText: true },
};

/** For rounds in which much fails. */
const IMPATIENT: INodeParameters = { maxRetries: 1, giveUpAfter: 3 };

/** Runs lists side by side in one process, until they have ended or the process is killed. */
export async function execute({ workspace, run }: Test, executions: Execution[], kill?: Kill) {
	const cancels: Array<() => void> = [];
	const connection = await connect(workspace.url, kill, () => {
		for (const cancel of cancels) cancel();
	});
	const credential = { baseUrl: connection.url, accessToken: workspace.token };
	const onStarted = (cancel: () => void) => void cancels.push(cancel);
	const results = await Promise.all(
		executions.map(async ({ rows, requestOptions = {}, ...how }) => {
			const own = { ...parameters, requestOptions };
			return await run(own, rows, { ...how, credential, onStarted });
		}),
	);
	await connection.close();
	// What had reached the service is done by then.
	if (kill) await sleep(50);
	return results;
}

/** Returns a list of faults, and whether something breaks in other ways, by chance. */
function breakSomething(chance: () => number): Faults {
	const rate = () => (chance() < 0.5 ? chance() * 0.25 : 0);
	const statuses = [400, 403, 500, 502, 503];
	return {
		seed: Math.floor(chance() * 1e6),
		dropBefore: { rate: rate(), match: { method: 'POST' } },
		dropAfter: { rate: rate() },
		fail: [
			...statuses.map((status) => ({
				status,
				rate: rate() / 3,
				match: { operation: 'sendMessage' as const },
			})),
			{ status: 500, rate: rate(), after: true, match: { method: 'POST' } },
			{ status: 504, rate: rate(), after: true, match: { method: 'POST' } },
			{ status: 403, rate: rate() / 3, match: { operation: 'addContactTags' as const } },
			...(['bulkAddTags', 'bulkRemoveTags'] as const).flatMap((operation) =>
				[422, 403].map((status) => ({ status, rate: rate(), match: { operation } })),
			),
		],
	};
}

const NO_FAULTS: Faults = { dropBefore: null, dropAfter: null, fail: null, skippedInBulk: null };

/** Runs a list several times by chance. Returns what the model finds wrong. */
export async function playRound(face: Face, seed: number): Promise<string[]> {
	const chance = sequenceOf(seed);
	const oneOf = <T>(list: T[]): T => list[Math.floor(chance() * list.length)];
	// So many that the newest takes them in blocks.
	const fewest = face === 'newest' ? 20 : 5;
	const count = fewest + Math.floor(chance() * 30);
	const test = await testWorkspace({ contacts: count, ...faces[face] });
	const { contacts } = await test.workspace.state();
	await test.workspace.faults({ rateLimit: null });
	const rows = contacts.flatMap(({ id, email, phoneNumber }) => {
		const names = [`id:${id}`, email && `email:${email}`, phoneNumber && `phone:${phoneNumber}`];
		const text = chance() < 0.2 ? LONG : 'Hello';
		return Array.from({ length: chance() < 0.2 ? 2 : 1 }, () => ({
			contact: oneOf(names.filter(Boolean)),
			text,
		}));
	});
	rows.sort(() => chance() - 0.5);
	if (chance() < 0.3) rows.splice(Math.floor(chance() * rows.length), 0, unknownContact);
	const problems: string[] = [];
	const check = async (when: string) => {
		const broken = findBroken(await peopleOf(test));
		for (const person of broken)
			problems.push(`${face} ${seed} ${when}: ${JSON.stringify(person)}`);
	};
	for (let nth = 1; nth <= 3; nth++) {
		const skippedInBulk = contacts.map(({ id }) => id).filter(() => chance() < 0.1);
		await test.workspace.faults({ ...breakSomething(chance), skippedInBulk });
		const execution = (): Execution => ({
			rows,
			requestOptions: IMPATIENT,
			onError: oneOf(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']),
			...(chance() < 0.3 && { retryOnFail: { maxTries: 2, waitBetweenTries: 1 } }),
		});
		const executions = chance() < 0.3 ? [execution(), execution()] : [execution()];
		const after = Math.floor(chance() * rows.length * 4);
		const kill = chance() < 0.5 ? { after, reachesService: chance() < 0.5 } : undefined;
		await execute(test, executions, kill);
		await check(`after ${nth}`);
	}
	await test.workspace.faults(NO_FAULTS);
	const before = new Map((await peopleOf(test)).map(({ id, mark }) => [id, mark]));
	const [{ json }] = await execute(test, [{ rows, onError: 'continueRegularOutput' }]);
	await check('in the end');
	for (const { id, mark } of await peopleOf(test)) {
		const was = before.get(id)!;
		if (mark !== (was === 'none' ? 'sent' : was))
			problems.push(`${face} ${seed}: ${id} was ${was}, and is ${mark}`);
		const reasons = json.flatMap(({ contactId, reason }) => (contactId === id ? [reason] : []));
		const expected = { none: undefined, sent: 'sentBefore', sending: 'unknown' }[was];
		const later = expected ?? 'sentBefore';
		if (reasons.some((reason, place) => reason !== (place === 0 ? expected : later)))
			problems.push(`${face} ${seed}: ${id} was ${was}, and its items say ${reasons.join()}`);
	}
	return problems;
}

/** Two messages, with numbers that tell them apart. */
const LONG = Array.from({ length: 300 }, (_, place) => `${place + 1}.`).join(' ');

const unknownContact = { contact: 'id:999999999', text: 'Hello' };
