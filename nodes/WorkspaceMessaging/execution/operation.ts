import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { ApiError } from '../transport/errors/errors';
import { readList, readRecord } from '../transport/pagination';
import { rethrow } from '../transport/rethrow';
import type { Endpoint } from '../contract';
import type { Accepted } from '../validation/validate';
import type { Item } from './item';

/** One operation of the node. All that belongs to it stands in one object, in the file of its name. */
export interface Operation {
	/** Its name in the Operation dropdown. */
	name: string;
	/** What workflows save it by. */
	value: string;
	/** What it does, in the list of actions. */
	action: string;
	description: string;
	/** What its fields are checked against, and what it calls unless `run` says otherwise. */
	endpoint: Endpoint;
	/** What the user fills in, in the order of the panel. `routing.send` says where the value of each goes. */
	fields: INodeProperties[];
	/** What an item of its output looks like; with Simplify on, where there is one. */
	output: z.ZodObject;
	/** The parts of a request that are checked otherwise than the endpoint wants them, because more is done than one call. */
	schema?(item: Item): Accepted;
	/** Brings the body into the form that is checked, where only this operation knows how. */
	normalize?(body: IDataObject): IDataObject;
	/**
	 * What the contract cannot know, such as a rule between the items of a run; throws the sentence that says why not. It may
	 * complete what the item asks for.
	 */
	validate?(item: Item): void | Promise<void>;
	/** The output where the service answers without a body: what was done to whom. */
	emptyOutput?(item: Item): IDataObject;
	/** Reduces records to the fields that people use, for Simplify. */
	simplify?(records: IDataObject[], item: Item): IDataObject[] | Promise<IDataObject[]>;
	/** What is looked up when the item's turn has come, before it is carried out. */
	resolveContact?(item: Item, endpoint: Endpoint): Promise<void>;
	/** What it does with one item, and what that puts out; one call of the endpoint when left out. */
	run?(item: Item): Promise<IDataObject[]>;
	/** Says more about why an item could not be carried out, or for an agent why it is not valid. */
	improveError?(item: Item, error: Error): Promise<Error>;
}

/** Does with one item what the operation does, and returns one object for each output item. */
export async function runOperation(operation: Operation, item: Item): Promise<IDataObject[]> {
	await operation.resolveContact?.(item, operation.endpoint);
	try {
		return await runEndpoint(operation, item);
	} catch (error) {
		const { improveError: explain } = operation;
		return await rethrow(explain && error instanceof ApiError ? await explain(item, error) : error);
	}
}

async function runEndpoint(
	{ endpoint, run, emptyOutput: done, simplify }: Operation,
	item: Item,
): Promise<IDataObject[]> {
	if (run) return await run(item);
	const { params, query, body } = item;
	const parts = { params, query, body };
	if (!endpoint.response) {
		await item.request(endpoint, parts);
		return [{ success: true, ...done?.(item) }];
	}
	const records = endpoint.list
		? await readList(item, endpoint, parts, item.limit)
		: [await readRecord(item, endpoint, parts)];
	return simplify && item.isSimplified ? await simplify(records, item) : records;
}
