import { createHash } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { normalizeBaseUrl } from '../transport/baseUrl';
import { CREDENTIAL } from '../transport/http';
import type { Settings } from './types';
import { stableStringify } from './stableStringify';

/** Changed with the form of what is remembered: an older memory is then not read. */
const FORM = 2;

/** What n8n keeps for one trigger. */
interface Stored extends IDataObject {
	/** What it is the memory of, see `subjectOf`; of anything else it does not count. */
	of?: string;
	/** How often it has changed: of two copies, the higher one is the newer. */
	turn?: number;
	/** JSON, as text: n8n would watch every part of an object for changes. */
	memory?: string;
}

/** Contexts in which a poll has succeeded. n8n makes one when it activates a workflow, or one for each poll. */
const begun = new WeakSet<object>();

/** What the triggers of each workflow remember in this process, by the workflow's ID and their names. */
const workflows = new Map<string, Map<string, WeakRef<Stored>>>();

/** Where a workflow keeps copies of what its triggers remember, by their names. */
const COPIES = 'workspaceMessagingTrigger';

/**
 * What one trigger remembers between polls, where n8n keeps it.
 *
 * By default, n8n keeps one object for the trigger. What is changed in it reaches the database only together with the next
 * items, or right after the workflow was activated. With durable cursors, it gives each poll a copy and keeps it with or
 * without items, except for the poll with which the workflow is activated.
 *
 * By default, n8n also writes the memories of all nodes of a workflow at once. After one trigger was published anew and
 * another was not, each writes an old state of the other, and after a restart events would come again. So each trigger
 * writes copies of what the others remember by now beside its own memory, and the newer of both counts.
 */
export class Memory {
	private readonly stored: Stored;

	private readonly isDurable: boolean;

	private readonly name: string;

	private constructor(
		private readonly context: IPollFunctions,
		private readonly subject: string,
	) {
		this.stored = context.getWorkflowStaticData('node');
		// Only what n8n keeps by default is watched for changes.
		this.isDurable = !('__dataChanged' in this.stored);
		this.name = context.getNode().name;
	}

	/** The state of the trigger that polls. */
	static async open(context: IPollFunctions, settings: Settings): Promise<Memory> {
		return new Memory(context, await subjectOf(context, settings));
	}

	/**
	 * What was remembered; undefined when watching begins: at first, after the event or what is watched was changed, and when
	 * the workflow is switched on. A restart of n8n, or publishing a workflow that is active, is no beginning.
	 */
	recall(): unknown {
		const { of, memory } = this.newest();
		const isSwitchedOn = this.context.getActivationMode() === 'activate' && !begun.has(this.context);
		return of === this.subject && memory !== undefined && !isSwitchedOn ? JSON.parse(memory) : undefined;
	}

	/**
	 * Remembers, and says whether n8n keeps it without any items.
	 *
	 * @param isFirst whether nothing was recalled
	 */
	remember(memory: unknown, isFirst: boolean): boolean {
		const isOnSchedule = this.context.getActivationMode() === 'update' || begun.has(this.context);
		begun.add(this.context);
		const text = JSON.stringify(memory);
		const before = this.newest();
		if (isFirst || before.of !== this.subject || before.memory !== text)
			Object.assign(this.stored, { of: this.subject, turn: (before.turn ?? 0) + 1, memory: text });
		if (!this.isDurable) this.copyOthers();
		return isFirst ? !this.isDurable && !isOnSchedule : this.isDurable;
	}

	private newest(): Stored {
		const copy = this.isDurable ? undefined : this.copies[this.name];
		return copy && (copy.turn ?? 0) > (this.stored.turn ?? 0) ? copy : this.stored;
	}

	private get copies(): Record<string, Stored | undefined> {
		return (this.context.getWorkflowStaticData('global')[COPIES] ?? {}) as Record<string, Stored>;
	}

	private copyOthers() {
		const workflowId = String(this.context.getWorkflow().id);
		const triggers = workflows.get(workflowId) ?? new Map<string, WeakRef<Stored>>();
		workflows.set(workflowId, triggers.set(this.name, new WeakRef(this.stored)));
		for (const [name, reference] of triggers) {
			const { of, turn, memory } = reference.deref() ?? {};
			if (name === this.name || turn === undefined || turn <= (this.copies[name]?.turn ?? 0)) continue;
			// As a new object, so that n8n sees that something has changed.
			const copies = { ...this.copies, [name]: { of, turn, memory } };
			this.context.getWorkflowStaticData('global')[COPIES] = copies;
		}
	}
}

/** What is watched, and where, in 16 characters; in which form it is put out makes no difference. */
async function subjectOf(context: IPollFunctions, settings: Settings): Promise<string> {
	const credentials = await context.getCredentials(CREDENTIAL);
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id;
	const subject = { FORM, ...settings, simplify: undefined, baseUrl, credential };
	return createHash('sha256').update(stableStringify(subject)).digest('base64url').slice(0, 16);
}
