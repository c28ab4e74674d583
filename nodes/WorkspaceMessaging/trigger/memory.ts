import { createHash } from 'node:crypto';
import type { IPollFunctions } from 'n8n-workflow';
import { normalizeBaseUrl } from '../api/baseUrl';
import { CREDENTIAL } from '../api/http';
import { canonical } from './canonical';
import { Siblings } from './siblings';
import type { Kept } from './siblings';
import type { Settings } from './settings';

/** Changed with the form of what is remembered: an older memory is then not read. */
const FORM = 1;

/** Contexts in which a poll has succeeded. n8n makes one when it activates a workflow, or one for each poll. */
const begun = new WeakSet<object>();

/**
 * The memory of one trigger.
 *
 * n8n has two ways to keep it. The older one shares one object between all polls; what is changed in it reaches the
 * database only with the next items, or right after the workflow was activated. The newer one, a durable cursor, gives each
 * poll a copy and keeps it together with the items, or without, except for the poll with which the workflow is activated.
 */
export class Memory<T> {
	private readonly kept: Kept;

	/** None where n8n keeps the memory of each trigger by itself. */
	private readonly siblings: Siblings | undefined;

	private constructor(
		private readonly context: IPollFunctions,
		/** What the memory is of: the event, what is watched, and where. */
		private readonly of: string,
		/** What tells the lists that are watched from all others in this process; the token is part of it. */
		readonly key: string,
	) {
		this.kept = context.getWorkflowStaticData('node');
		this.siblings = this.isDurable() ? undefined : new Siblings(context, this.kept);
	}

	static async open<T>(context: IPollFunctions, settings: Settings): Promise<Memory<T>> {
		const { baseUrl, accessToken } = await context.getCredentials(CREDENTIAL);
		const credential = context.getNode().credentials?.[CREDENTIAL]?.id;
		const what = canonical({ FORM, settings, baseUrl: normalizeBaseUrl(baseUrl), credential });
		return new Memory<T>(context, digest(what), digest(what + String(accessToken)));
	}

	/**
	 * What was remembered; undefined when watching begins: at first, after the event or what is watched was changed, and when
	 * the workflow is switched on. A restart of n8n, or publishing a workflow that is active, is no beginning.
	 */
	recall(): T | undefined {
		const { of, memory } = this.newest();
		return of === this.of && !this.isSwitchedOn() ? (memory as T | undefined) : undefined;
	}

	/**
	 * Remembers, and says whether n8n keeps it without any items.
	 *
	 * @param isFirst whether nothing was recalled
	 */
	remember(memory: T, isFirst: boolean): boolean {
		const keepsWithoutItems = isFirst ? !this.isDurable() && !this.isPolledOnSchedule() : this.isDurable();
		const { of, turn = 0, memory: before } = this.newest();
		if (isFirst || of !== this.of || JSON.stringify(before) !== JSON.stringify(memory)) {
			Object.assign(this.kept, { of: this.of, turn: turn + 1, memory });
		}
		this.siblings?.copyOthers();
		begun.add(this.context);
		return keepsWithoutItems;
	}

	private newest(): Kept {
		return this.siblings?.newest() ?? this.kept;
	}

	/** What n8n watches for changes is its older way. */
	private isDurable(): boolean {
		return !('__dataChanged' in this.kept);
	}

	/** Whether this is the first poll after somebody switched the workflow on. */
	private isSwitchedOn(): boolean {
		return this.context.getActivationMode() === 'activate' && !begun.has(this.context);
	}

	/** Whether this may be a poll on schedule, and not the one with which n8n activates a workflow. */
	private isPolledOnSchedule(): boolean {
		return this.context.getActivationMode() === 'update' || begun.has(this.context);
	}
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
