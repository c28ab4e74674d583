import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Requester, RequestParts, Service } from '../api/request';
import type { Endpoint } from '../contract';
import { toNumber } from '../validation/coerce';
import type { ValidParts } from '../validation/validate';
import { clientIdOf } from './clientId';
import { readFields } from './readFields';
import type { Run } from './run';
import { validate } from '../validation/validate';

/** What became of an item. */
export type Outcome = 'done' | 'refused' | 'unknown' | 'notSent';

/** One input item on its way through a run. */
export class Item implements Requester {
	/** What it asks for, as the operation's endpoint takes it; set once it has been checked. */
	params: IDataObject = {};

	query: IDataObject = {};

	body: unknown;

	/** Why it must not be sent. */
	problem?: Error;

	outcome: Outcome = 'notSent';

	private requester?: Requester;

	constructor(
		readonly run: Run,
		/** Its number among the input items. */
		readonly index: number,
		readonly input: INodeExecutionData,
	) {}

	/** Reads what the user gave for this item and checks it; what is not valid is noted as the item's problem. */
	read() {
		const { operation } = this.run;
		try {
			const given = readFields(this);
			if (operation.normalizeBody) given.body = operation.normalizeBody(given.body);
			Object.assign(this, this.valid({ ...operation.endpoint, ...operation.accepts?.(this) }, given));
			this.checkLimit();
			operation.check?.(this);
		} catch (error) {
			this.problem = error as Error;
		}
	}

	/**
	 * Checks values of a request as they are to be sent, with the fields' labels at hand.
	 * Throws an error whose message names the field, the rule and the value.
	 */
	valid(accepted: Parameters<typeof validate>[0], parts: RequestParts): ValidParts {
		return validate(accepted, parts, this.run.labels);
	}

	/** The value of a parameter of the node for this item; the parameter can be one inside a collection, `options.page`. */
	parameter(name: string, fallback: unknown): unknown {
		return this.run.parameter(name, this.index, fallback);
	}

	/** Connects the item to the workspace, so that it can send requests. */
	connect(requester: Requester) {
		this.requester = requester;
	}

	/** See `Requester`. */
	async request(endpoint: Endpoint, parts?: RequestParts): Promise<unknown> {
		return await this.requester!.request(endpoint, parts);
	}

	get service(): Service {
		return this.requester!.service;
	}

	/** Whether the user wants records with the fields that people use most. */
	get isSimplified(): boolean {
		return this.parameter('simplify', false) === true;
	}

	/** How many records the user wants at most; undefined for all. */
	get limit(): number | undefined {
		return this.parameter('returnAll', true) === true ? undefined : Number(this.parameter('limit', 50));
	}

	/** The number by which the service recognises a message of this item; see `clientIdOf`. */
	clientId(part = 0): string {
		return clientIdOf(this.run, this.index, part);
	}

	/** The output items for what the operation has returned, linked to this one. */
	output(records: IDataObject[]): INodeExecutionData[] {
		return records.map((json) => ({ json, pairedItem: { item: this.index } }));
	}

	private checkLimit() {
		if (!this.run.operation.endpoint.list || this.parameter('returnAll', true) === true) return;
		const limit = toNumber(this.parameter('limit', 50));
		if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
			throw new Error(`Limit must be a whole number of at least 1, but is "${String(limit)}"`);
		}
	}
}
