import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Requester, RequestParts } from '../transport/request';
import type { Service } from '../transport/service';
import type { Upload } from '../transport/upload';
import type { Endpoint } from '../contract';
import { isNational, normalizePhoneNumber, readCountryCode } from '../validation/phoneNumber';
import type { ReadPhoneNumber } from '../validation/phoneNumber';
import { validate } from '../validation/validate';
import type { RequestSchema, ValidParts } from '../validation/validate';
import { clientIdOf } from './clientId';
import { idempotencyKeys } from './idempotency';
import type { Outcome, Run } from './run';
import type { AnswerSettings } from './toolParameters';

/**
 * One input item on its way through a run: what an operation works with. `defineOperation` infers the types of its request
 * from the schemas that it is validated by.
 */
export class Item<Params = IDataObject, Query = IDataObject, Body = unknown> implements Requester {
	params = {} as Params;

	query = {} as Query;

	body!: Body;

	/** How much of its output an agent gets, where the node is a tool. */
	answer?: AnswerSettings;

	/** Why it must not be sent. */
	problem?: Error;

	outcome: Outcome = 'notSent';

	/** The numbers of all items that its output is about, where one does something for others, too. */
	doneFor?: number[];

	/** Its phone numbers with a leading 0, for which there was no country code. */
	readonly nationalNumbers = new Set<string>();

	private requester?: Requester;

	constructor(
		readonly run: Run,
		/** Its number among the input items. */
		readonly index: number,
		readonly input: INodeExecutionData,
	) {}

	/** The value of a parameter of the node for this item; the parameter can be one inside a collection, `options.page`. */
	parameter(name: string, fallback: unknown): unknown {
		return this.run.parameter(name, this.index, fallback);
	}

	/**
	 * Checks values of a request as they are to be sent, with the fields' labels at hand.
	 * Throws an error whose message names the field, the rule and the value.
	 */
	validate<S extends RequestSchema>(schema: S, parts: RequestParts): ValidParts<S> {
		return validate(schema, parts, this.run.labels, this.readPhoneNumber);
	}

	/** Reads a phone number as people write it; a national one is completed with the Default Country Code. */
	readonly readPhoneNumber: ReadPhoneNumber = (given, label) => {
		const number = normalizePhoneNumber(given, label, () => this.defaultCountryCode);
		if (isNational(number)) this.nationalNumbers.add(number);
		return number;
	};

	/** The country code of phone numbers that have none: from the options, or else from the credential. */
	private get defaultCountryCode(): string {
		const own = this.parameter('options.defaultCountryCode', '');
		return (
			readCountryCode(own, 'Default Country Code') ||
			readCountryCode(this.run.defaultCountryCode, 'The Default Country Code in the credential')
		);
	}

	/** Connects the item to the workspace, so that it can send requests. */
	async connect() {
		this.requester = await this.run.requester(idempotencyKeys(this.run, this.index));
	}

	/** See `Requester`. */
	async request(endpoint: Endpoint, parts?: RequestParts): Promise<unknown> {
		return await this.requester!.request(endpoint, parts);
	}

	/** Puts a file where the service wants it, which need not be the service itself; see `upload`. */
	async upload(file: Upload): Promise<void> {
		await this.run.client!.upload(this.run.context, file);
	}

	/** See `Requester`. */
	hint(text: string) {
		this.run.hint(text);
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

	/** The output items for what the operation has returned, linked to this one, or to all that it was done for. */
	output(records: IDataObject[]): INodeExecutionData[] {
		const pairedItem = this.doneFor?.map((item) => ({ item })) ?? { item: this.index };
		return records.map((json) => ({ json, pairedItem }));
	}
}

/** An item of any operation, for what reads no part of its request. */
export type AnyItem = Item<object, object>;
