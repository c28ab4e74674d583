import type { Operation } from '../../execution/operation';

/** A resource of the Resource dropdown with its operations. */
export interface Resource {
	/** Its name in the dropdown. */
	name: string;
	/** What workflows save it by. */
	value: string;
	/** What it is, in a few words; n8n puts them above each of its operations where it describes the node to a model. */
	description: string;
	/** Its operations in the order of the Operation dropdown, which is that of their names. */
	operations: Operation[];
	/** The operation that is chosen at first. */
	default: Operation;
}
