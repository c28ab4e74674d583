import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import type { ApiError } from '../transport/errors/ApiError';
import type { RequestParts, Requester, Service } from '../transport/request';
import type { ExpectedFile, Upload } from '../transport/files';
import { withOtherForms } from '../service/identifierForms';
import { checkValue } from '../values/checkValue';
import { splitExpressions } from '../values/expressions/expression';
import { toIdentifierParams } from '../values/identifier';
import {
	findDoubt,
	normalizePhoneNumber,
	readCountryCode,
	type PhoneNumberDoubt,
	type ReadPhoneNumber,
} from '../values/phone/phoneNumber';
import { readByRule, validate, type RequestSchema, type RuledField } from '../values/validate';
import { makeClientId, idempotencyKeys } from './idempotency';
import { otherNumbersOf } from './otherNumbers';
import type { Outcome, Run } from './run';
import { readToolAnswerSettings, readToolParameter, type AnswerSettings } from './tool';
import type { Hint, ItemTries } from './tries';

/** The parts of a request that have been validated. */
interface ValidRequest<Params, Query, Body> {
	params: Params;
	query: Query;
	body: Body;
}

/** One expression, and nothing before or behind it. */
const ONE_EXPRESSION = /^=\{\{[^{}]*\}\}$/;

/**
 * One input item in a run. An operation reads its parameters and its request, and sends requests
 * with it. `defineOperation` infers the types of the request from the schemas that validate it.
 */
export class Item<Params = IDataObject, Query = IDataObject, Body = unknown> implements Requester {
	private valid = { params: {}, query: {}, body: undefined } as ValidRequest<Params, Query, Body>;

	/** Why its request is not valid. */
	private validationError?: Error;

	private ended: Outcome = 'notSent';

	/** The numbers of the items that its output is about, if it did the work of others, too. */
	private workedFor?: number[];

	/** The files of its output. */
	private outputFiles?: IBinaryKeyData;

	/** Its phone numbers that may not reach anybody, with the reasons. */
	readonly doubtfulNumbers = new Map<string, PhoneNumberDoubt>();

	/** The values of the fields that it has read. */
	private readonly fields: Map<string, unknown>;

	/** What the tries before have done with it; see `Run.tries`. */
	readonly tries?: ItemTries;

	/**
	 * The contacts that it has read, by the identifier that it used; the service may have them in
	 * another form.
	 */
	readonly knownContacts = new Map<string, IDataObject>();

	/** Whether its messages are sent once; see `Endpoint`. */
	isSentOnce = false;

	private requester?: Requester;

	constructor(
		readonly run: Run,
		/** Its number among the input items. */
		readonly index: number,
		readonly input: INodeExecutionData,
	) {
		this.tries = run.tries?.ofItem(index);
		this.fields = this.tries?.fields ?? new Map();
	}

	get params(): Params {
		return this.valid.params;
	}

	get query(): Query {
		return this.valid.query;
	}

	get body(): Body {
		return this.valid.body;
	}

	/** Why its request is not valid; undefined if it is. */
	get problem(): Error | undefined {
		return this.validationError;
	}

	get outcome(): Outcome {
		return this.ended;
	}

	/** Takes its request, which has been validated. */
	accept(request: ValidRequest<Params, Query, Body>) {
		this.valid = request;
	}

	/** Names the contact in its request by the ID from now on. */
	useContactId(id: unknown) {
		this.valid.params = { ...this.valid.params, ...toIdentifierParams(id) };
	}

	/** Notes why its request is not valid. Nothing of it is sent then. */
	refuse(problem: Error) {
		if (!this.tries?.isSettled) this.validationError = problem;
	}

	/** Notes that it is done. */
	succeed(output: INodeExecutionData[]) {
		this.ended = 'done';
		this.tries?.succeed(output);
	}

	/** Notes that a request of it failed. */
	fail(error: ApiError) {
		this.ended = error.details.outcome;
		this.tries?.fail(error);
	}

	/**
	 * Returns its output if an earlier try of n8n has done it. Throws the error of that try if nobody
	 * knows whether it has.
	 */
	takeEarlierOutput(): INodeExecutionData[] | undefined {
		const { doubt, output } = this.tries ?? {};
		if (doubt) throw doubt;
		return output;
	}

	/** Notes that its output is also about other items, whose work it did. */
	linkOutputTo(items: number[]) {
		this.workedFor = items;
	}

	/** Adds files to its output. */
	addFilesToOutput(files: IBinaryKeyData | undefined) {
		this.outputFiles = files;
	}

	/**
	 * The value of a parameter for this item, also inside a collection: `options.page`. See
	 * `readToolParameter` for tools.
	 */
	parameter(name: string, fallback: unknown): unknown {
		return this.run.isTool
			? readToolParameter(this.nodeParameter, name, fallback)
			: this.nodeParameter(name, fallback);
	}

	/**
	 * The value of a field with a rule, also in a collection. Throws an error if it breaks the rule, or
	 * if no field may have it; see `checkValue`.
	 */
	value<Value>(field: RuledField<Value>): Value {
		const path = this.run.pathOf(field.name);
		const entered = this.parameter(path, undefined);
		// About all else, the rule has the better sentence.
		if (typeof entered === 'string')
			checkValue(field.displayName, entered, { getSources: this.getSources });
		return readByRule(field, entered);
	}

	/** Whether the user turned on a parameter. */
	isOn(name: string): boolean {
		return this.parameter(name, false) === true;
	}

	/**
	 * Like `parameter`, but always reads the field of the panel; `parameter` of a tool reads what the
	 * agent entered.
	 */
	readonly nodeParameter = (name: string, fallback: unknown): unknown => {
		const [field, ...path] = name.split('.');
		if (!(field in this.run.entered)) return fallback;
		if (path.length === 0) return this.readField(field);
		try {
			const whole = this.readField(field);
			const inner = path.reduce((at, key) => Object(at)[key], whole);
			return inner === undefined ? fallback : inner;
		} catch {
			// An expression elsewhere in the collection may have failed.
			return this.run.parameter(name, this.index, fallback);
		}
	};

	/** Reads a field once: n8n takes up to 2 ms for each expression in it. */
	private readField(field: string): unknown {
		if (!this.fields.has(field)) this.fields.set(field, this.run.parameter(field, this.index));
		return this.fields.get(field);
	}

	/**
	 * Validates parts of a request. Throws an error that names the field by its label, the rule and
	 * the value.
	 */
	validate<S extends RequestSchema>(
		schema: S,
		parts: Partial<Record<keyof RequestSchema, unknown>>,
	) {
		return validate(schema, parts, this.run.labels, this.readPhoneNumber);
	}

	/** Reads a phone number as people write it; a country code completes a national one. */
	readPhoneNumberWith(input: string, label: string, countryCode: () => string): string {
		const number = normalizePhoneNumber(input, label, countryCode);
		// A number with a + does without the code, which may not be valid.
		const hasCode = !number.startsWith('+') && countryCode() !== '';
		const doubt = findDoubt(number, hasCode, input);
		if (doubt) this.doubtfulNumbers.set(number, doubt);
		return number;
	}

	/** Reads a phone number as people write it; the Default Country Code completes a national one. */
	readonly readPhoneNumber: ReadPhoneNumber = (input, label) =>
		this.readPhoneNumberWith(input, label, () => this.defaultCountryCode);

	/** The country code of national phone numbers: from the options, or else from the credential. */
	private get defaultCountryCode(): string {
		const own = this.parameter('options.defaultCountryCode', '');
		return (
			readCountryCode(own, 'Default Country Code') ||
			readCountryCode(this.run.defaultCountryCode, 'The Default Country Code in the credential')
		);
	}

	/** Returns what a text may be made from; `entered` is its field with the expressions in it. */
	readonly getSources = (entered?: unknown): unknown[] => [
		this.input.json,
		...this.readExpressions(entered),
	];

	/**
	 * Returns the value of each expression in a text; undefined for those that fail. An expression with
	 * nothing around it makes no text of a number, so there is none to return.
	 */
	private readExpressions(entered: unknown): unknown[] {
		if (typeof entered !== 'string' || ONE_EXPRESSION.test(entered)) return [];
		return splitExpressions(entered).codes.map((code) => {
			try {
				return this.run.context.evaluateExpression(`{{${code}}}`, this.index);
			} catch {
				return undefined;
			}
		});
	}

	/** Connects the item to the workspace; it can send requests then. */
	async connect() {
		const keyOf = idempotencyKeys(this.run, this.index);
		const requester = await this.run.createRequester(keyOf);
		const { tries, run } = this;
		const remembering = tries?.remember(requester, keyOf, (request) =>
			run.client!.mayTryAgain(request),
		);
		this.requester = withOtherForms(remembering ?? requester, this);
	}

	/** See `Requester`. */
	async request(endpoint: Endpoint, parts?: RequestParts): Promise<unknown> {
		const { isSentOnce } = this;
		const own = isSentOnce ? { ...endpoint, isSentOnce } : endpoint;
		return await this.requester!.request(own, parts);
	}

	/** See `ItemTries.findBefore`. */
	async findBefore<Found>(find: () => Promise<Found>): Promise<Found> {
		return await (this.tries?.findBefore(find) ?? find());
	}

	/** Uploads a file to the URL that the service returned for it; see `upload`. */
	async upload(file: Upload): Promise<void> {
		const send = async () => await this.run.client!.upload(this.run.context, file);
		await (this.tries?.once(file.address, send) ?? send());
	}

	/** Downloads a file from an address that the service returned, and stores it in n8n. */
	async saveFile(address: string, expected: ExpectedFile): Promise<IBinaryData> {
		const { client, context } = this.run;
		const { name } = expected;
		const signal = this.run.cancelSignal ?? new AbortController().signal;
		const { content, mimeType } = await client!.download(context, address, expected, signal);
		const type = expected.mimeType ?? mimeType;
		return await context.helpers.prepareBinaryData(content, name, type);
	}

	/** See `ContactMemory`. */
	noteOtherNumber(entered: string, found: string) {
		otherNumbersOf(this).set(entered, found);
	}

	/** See `Requester`. */
	hint(...hint: Hint) {
		this.run.hint(...hint);
	}

	get service(): Service {
		return this.requester!.service;
	}

	/** Whether the user wants only the fields that people use most. */
	get isSimplified(): boolean {
		return this.isOn('simplify');
	}

	/** The maximum number of records; undefined for all. */
	get limit(): number | undefined {
		const returnsAll = this.parameter('returnAll', true) === true;
		if (returnsAll) return undefined;
		return Number(this.parameter('limit', 50));
	}

	/**
	 * Reads how much of its output an agent gets; undefined if the node is no tool. Throws an error
	 * if that is not valid.
	 */
	readToolAnswerSettings(): AnswerSettings | undefined {
		return this.run.isTool ? readToolAnswerSettings(this.nodeParameter) : undefined;
	}

	/** The dedupe ID of one of the item's messages, which the user can set; see `makeClientId`. */
	clientId(part: number, own?: string): string {
		return makeClientId(this.run, this.index, part, own);
	}

	/**
	 * Returns the output items of the records, linked to this item, or to all items that it did the
	 * work of.
	 */
	output(records: IDataObject[]): INodeExecutionData[] {
		const pairedItem = this.workedFor?.map((item) => ({ item })) ?? { item: this.index };
		const binary = this.outputFiles;
		return records.map((json) => ({ json, pairedItem, ...(binary && { binary }) }));
	}
}

/** An item of any operation, for what reads no part of its request. */
export type AnyItem = Item<unknown, unknown>;
