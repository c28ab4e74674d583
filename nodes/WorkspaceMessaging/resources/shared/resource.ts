import type { Operation } from '../../execution/operation';

/** A resource of the Resource dropdown with its operations. */
export interface Resource {
	/** Its name in the dropdown. */
	name: string;
	/** What workflows save it by. */
	value: string;
	/** Its operations in the order of the Operation dropdown, which is that of their names. */
	operations: Operation[];
	/** The operation that is chosen at first. */
	default: Operation;
}
