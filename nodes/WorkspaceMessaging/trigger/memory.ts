import { createHash } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { normalizeBaseUrl } from '../routing/baseUrl';
import { CREDENTIAL } from '../routing/request';
import { canonical } from './canonical';
import type { Settings } from './settings';

/** Changed with the form of what is remembered: an older memory is then not read. */
const FORM = 1;

/** What n8n keeps for the node between polls. */
interface Kept extends IDataObject {
	/** What it is the memory of; of anything else it is not valid. */
	of?: string;
	memory?: IDataObject;
}

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

	private constructor(
		private readonly context: IPollFunctions,
		/** What the memory is of: the event, what is watched, and where. */
		private readonly of: string,
		/** What tells the lists that are watched from all others in this process; the token is part of it. */
		readonly key: string,
	) {
		this.kept = context.getWorkflowStaticData('node');
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
		return this.kept.of === this.of && !this.isSwitchedOn() ? (this.kept.memory as T | undefined) : undefined;
	}

	/**
	 * Remembers, and says whether n8n keeps it without any items.
	 *
	 * @param isFirst whether nothing was recalled
	 */
	remember(memory: T, isFirst: boolean): boolean {
		const isDurable = !('__dataChanged' in this.kept);
		const keepsWithoutItems = isFirst ? !isDurable && !this.isPolledOnSchedule() : isDurable;
		if (this.kept.of !== this.of || JSON.stringify(this.kept.memory) !== JSON.stringify(memory)) {
			this.kept.of = this.of;
			this.kept.memory = memory as IDataObject;
		}
		begun.add(this.context);
		return keepsWithoutItems;
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
