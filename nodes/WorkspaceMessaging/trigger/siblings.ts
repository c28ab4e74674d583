import type { IDataObject, IPollFunctions } from 'n8n-workflow';

/** What n8n keeps for one trigger between polls. */
export interface Kept extends IDataObject {
	/** What it is the memory of; of anything else it is not valid. */
	of?: string;
	/** How often it has changed: of two, the higher one is the newer. */
	turn?: number;
	memory?: IDataObject;
}

/** Where the triggers of a workflow keep copies for each other. */
const COPIES = 'workspaceMessagingTrigger';

/** What the triggers of each workflow remember in this process, by workflow and name. */
const workflows = new Map<string, Map<string, WeakRef<Kept>>>();

/**
 * The other triggers of this package in the same workflow.
 *
 * n8n writes the memories of all nodes of a workflow to its database at once. After some triggers were published anew and
 * others not, these work on different states of all of them, and each writes back what the other has long replaced; after a
 * restart, events would come again. So each trigger writes what the others remember by now beside its own memory, and after a
 * restart the newer of both counts.
 */
export class Siblings {
	private readonly all: Map<string, WeakRef<Kept>>;

	/** By names, as n8n keeps its memories: they are unique. */
	private readonly name: string;

	private readonly copies: Record<string, Kept | undefined>;

	constructor(
		context: IPollFunctions,
		private readonly kept: Kept,
	) {
		this.name = context.getNode().name;
		for (const [id, all] of workflows)
			if (![...all.values()].some((each) => each.deref())) workflows.delete(id);
		const workflowId = String(context.getWorkflow().id);
		this.all = workflows.get(workflowId) ?? new Map<string, WeakRef<Kept>>();
		workflows.set(workflowId, this.all);
		this.all.set(this.name, new WeakRef(kept));
		const shared = context.getWorkflowStaticData('global');
		this.copies = (shared[COPIES] ?? {}) as Record<string, Kept | undefined>;
		if (this.all.size > 1) shared[COPIES] ??= this.copies as IDataObject;
	}

	/** What this trigger remembers: its own memory, or a newer copy of it. */
	newest(): Kept {
		const copy = this.copies[this.name];
		return copy && (copy.turn ?? 0) > (this.kept.turn ?? 0) ? copy : this.kept;
	}

	/** Puts what the others remember by now beside this trigger's memory. */
	copyOthers() {
		for (const [name, reference] of this.all) {
			const other = reference.deref();
			if (!other) this.all.delete(name);
			else if (name !== this.name && other.turn !== undefined && other.turn !== this.copies[name]?.turn) {
				const { of, turn, memory } = other;
				this.copies[name] = { of, turn, memory };
			}
		}
	}
}
