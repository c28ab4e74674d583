import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod/v4';
import type { Endpoint } from '../contract/endpoint';
import type { RequestSchema, ValidPart } from '../values/validate';
import type { Item } from './item';

/**
 * A field of the panel. Of n8n's `routing`, only `send.type` and `send.property` have an effect
 * here, so nothing else of it compiles. `rule`, `canBeEmpty` and `inTools` are ours; `panelField`
 * removes them before n8n sees the field.
 */
export interface Field<Value = unknown> extends Omit<INodeProperties, 'routing' | 'options'> {
	/** The part of the request that the field's value goes into, and its name there. */
	routing?: { send: { type: 'body' | 'query'; property: string } };
	/** The fields of a collection, the groups of a fixed collection, or the choices of a list. */
	options?: Array<Field | FieldGroup | Omit<INodePropertyOptions, 'routing'>>;
	/**
	 * What its value must be, if it is no part of the request: `readItem` checks it before anything
	 * is sent, and `item.value` reads it. So the field must be needed whenever it is shown.
	 */
	rule?: z.ZodType<Value>;
	/**
	 * Whether an expression that returns nothing has a meaning here, or in all fields of a
	 * collection; see `refuseEmpty`.
	 */
	canBeEmpty?: true;
	/** The fields that a tool of an agent shows in place of this one. */
	inTools?: Field[];
}

/** A group of fields inside a fixed collection. */
export interface FieldGroup {
	displayName: string;
	name: string;
	values: Field[];
}

/** The parts of an item's request as the user entered them, before they are validated. */
export interface RequestInput {
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

/**
 * One operation of the node. Make it with `defineOperation`, which knows the types of its items.
 */
export interface Operation<OwnItem = Item> {
	/** Its name in the Operation dropdown. */
	name: string;
	/** Its value in saved workflows. */
	value: string;
	/** Its name in the list of actions. */
	action: string;
	/** The line below the node on the canvas, which cuts long ones; by default, the action. */
	subtitle?: string;
	description: string;
	/** The endpoint that it calls, unless it has `run`; its schemas validate the fields. */
	endpoint: Endpoint;
	/** Its fields in the order of the panel. */
	fields: Field[];
	/** What an item of its output looks like; if it has Simplify, with Simplify on. */
	output: z.ZodObject;
	/** What an agent must not do by itself, such as `schedule broadcasts`; its tools lack it. */
	keptFromAgents?: string;
	/** Schemas of the parts of the request that replace those of the endpoint. */
	schema?: RequestSchema | ((item: Item) => RequestSchema);
	/** Changes parts of the request before they are validated; returns those that it changed. */
	normalize?(input: RequestInput, item: Item): Partial<RequestInput>;
	/**
	 * Checks what a schema cannot express. Throws an error of one sentence; does not change the item.
	 */
	validate?(item: OwnItem): void | Promise<void>;
	/**
	 * Runs the operation for one item and returns its output; without it, `execute` calls the
	 * endpoint.
	 */
	run?(item: OwnItem): Promise<IDataObject[]>;
	/**
	 * Returns the output of an item that the node rejects, for an operation that reports such items;
	 * undefined if the item fails.
	 */
	reportInvalid?(item: Item, error: Error): IDataObject | undefined;
	/** Reduces the records to the fields that people use most, for Simplify. */
	simplify?(records: IDataObject[], item: OwnItem): IDataObject[] | Promise<IDataObject[]>;
}

/** A resource with its operations. */
export interface Resource {
	/** Its name in the Resource dropdown. */
	name: string;
	/** Its value in saved workflows. */
	value: string;
	/** What it is, in a few words. n8n shows them to a model above each of its operations. */
	description: string;
	/** Its operations in the order of the Operation dropdown, sorted by name. */
	operations: Operation[];
	/** Operations that only other ones call; the editor shows none of them. */
	hidden?: Operation[];
	/** The operation that a new node has. */
	default: Operation;
}

/**
 * The type of a part of a request: by the operation's own schema if it has one, or else by the
 * endpoint's.
 */
type ValidatedPart<Name extends keyof RequestSchema, Own, Default> =
	Own extends Record<Name, z.ZodType> ? ValidPart<Name, Own> : ValidPart<Name, Default>;

/** An item whose request has been validated by these schemas. */
type ValidItem<Own, Default> = Item<
	ValidatedPart<'params', Own, Default>,
	ValidatedPart<'query', Own, Default>,
	ValidatedPart<'body', Own, Default>
>;

/**
 * Returns the operation as it is. It infers the types of `item.params`, `item.query` and
 * `item.body` for the hooks.
 */
export function defineOperation<E extends Endpoint, S extends RequestSchema = RequestSchema>(
	operation: Operation<ValidItem<S, E>> & { endpoint: E; schema?: S | ((item: Item) => S) },
): Operation;
export function defineOperation(operation: Operation): Operation {
	return operation;
}
