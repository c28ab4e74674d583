import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import type { Endpoint } from '../contract/endpoint';
import {
	ApiError,
	describeMissing,
	isNotFound,
	isRefusal,
	isUnsupported,
	recover,
	rejected,
} from '../transport/errors/ApiError';
import { isObject } from '../transport/guards';
import { readRecords } from '../transport/lists/records';
import type { RequestParts, Requester } from '../transport/request';
import type { Service } from '../transport/service';
import type { Upload } from '../transport/files';
import {
	contactParams,
	formatIdentifier,
	identifierKey,
	identifierKeys,
	findIdentifiers,
	findOtherId,
	parseIdentifier,
} from '../values/identifier';
import type { Identifier } from '../values/identifier';
import {
	comparablePhoneNumber,
	isNational,
	normalizePhoneNumber,
	readCountryCode,
	withCountryCodeAdvice,
} from '../values/phoneNumber';
import type { ReadPhoneNumber } from '../values/phoneNumber';
import { validate } from '../values/validate';
import type { RequestSchema } from '../values/validate';
import { makeClientId, idempotencyKeys } from './idempotency';
import type { Outcome, Run } from './run';
import { readToolParameter } from './tool';
import type { AnswerSettings } from './tool';

/**
 * One input item in a run. An operation reads its parameters and its request, and sends requests with it. `defineOperation`
 * infers the types of the request from the schemas that validate it.
 */
export class Item<Params = IDataObject, Query = IDataObject, Body = unknown> implements Requester {
	params = {} as Params;

	query = {} as Query;

	body!: Body;

	/** How much of its output an agent gets, if the node is a tool. */
	answer?: AnswerSettings;

	/** Why its request is not valid. */
	problem?: Error;

	outcome: Outcome = 'notSent';

	/** The numbers of the items that its output is about, if it did the work of others, too. */
	doneFor?: number[];

	/** Its phone numbers with a leading 0 that have no country code. */
	readonly nationalNumbers = new Set<string>();

	/** Contacts that the item has looked up, by its identifier; the service may have them in another form. */
	readonly contacts = new Map<string, IDataObject>();

	/** The values of the fields that it has read. */
	private readonly fields = new Map<string, unknown>();

	private requester?: Requester;

	constructor(
		readonly run: Run,
		/** Its number among the input items. */
		readonly index: number,
		readonly input: INodeExecutionData,
	) {}

	/** The value of a parameter for this item, also inside a collection: `options.page`. See `toolParameter` for tools. */
	parameter(name: string, fallback: unknown): unknown {
		return this.run.isTool
			? readToolParameter(this.nodeParameter, name, fallback)
			: this.nodeParameter(name, fallback);
	}

	/** Whether the user turned on a parameter. */
	isOn(name: string): boolean {
		return this.parameter(name, false) === true;
	}

	/** Like `parameter`, but always reads the field of the panel; `parameter` of a tool reads what the agent entered. */
	readonly nodeParameter = (name: string, fallback: unknown): unknown => {
		const [field, ...path] = name.split('.');
		if (!(field in this.run.entered)) return fallback;
		if (path.length === 0) return this.readField(field);
		try {
			const inner = path.reduce((at, key) => (isObject(at) ? at[key] : undefined), this.readField(field));
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

	/** Validates parts of a request. Throws an error that names the field by its label, the rule and the value. */
	validate<S extends RequestSchema>(schema: S, parts: Partial<Record<keyof RequestSchema, unknown>>) {
		return validate(schema, parts, this.run.labels, this.readPhoneNumber);
	}

	/** Reads a phone number as people write it; the Default Country Code completes a national one. */
	readonly readPhoneNumber: ReadPhoneNumber = (input, label) => {
		const number = normalizePhoneNumber(input, label, () => this.defaultCountryCode);
		if (isNational(number)) this.nationalNumbers.add(number);
		return number;
	};

	/** The country code of national phone numbers: from the options, or else from the credential. */
	private get defaultCountryCode(): string {
		const own = this.parameter('options.defaultCountryCode', '');
		return (
			readCountryCode(own, 'Default Country Code') ||
			readCountryCode(this.run.defaultCountryCode, 'The Default Country Code in the credential')
		);
	}

	/** Connects the item to the workspace; it can send requests then. */
	async connect() {
		this.requester = await this.run.requester(idempotencyKeys(this.run, this.index));
	}

	/** See `Requester`. Also finds a contact whose email or phone number the service has in another form. */
	async request(endpoint: Endpoint, parts: RequestParts = {}): Promise<unknown> {
		const text = String(parts.params?.identifier);
		const known = this.contacts.get(text);
		if (known !== undefined) return await this.requester!.request(endpoint, withContact(parts, known));
		const lookAgain = recover(isNotFound, async (error) => {
			const identifier = parseIdentifier(text);
			const contact = parts.isExact ? undefined : await findInOtherForm(this.requester!, identifier);
			if (!contact) throw explainNobody(error, identifier, this.input.json);
			this.contacts.set(text, contact);
			return await this.requester!.request(endpoint, withContact(parts, contact));
		});
		return await this.requester!.request(endpoint, parts).catch(lookAgain);
	}

	/** Uploads a file to the URL that the service returned for it; see `upload`. */
	async upload(file: Upload): Promise<void> {
		await this.run.client!.upload(this.run.context, file);
	}

	/** See `Requester`. */
	hint(...hint: Parameters<Run['hint']>) {
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
		return this.parameter('returnAll', true) === true ? undefined : Number(this.parameter('limit', 50));
	}

	/** The dedupe ID of one of the item's messages, which the user can set; see `clientIdOf`. */
	clientId(part: number, own?: string): string {
		return makeClientId(this.run, this.index, part, own);
	}

	/** Returns the output items of the records, linked to this item, or to all items that it did the work of. */
	output(records: IDataObject[]): INodeExecutionData[] {
		const pairedItem = this.doneFor?.map((item) => ({ item })) ?? { item: this.index };
		return records.map((json) => ({ json, pairedItem }));
	}
}

/** An item of any operation, for what reads no part of its request. */
export type AnyItem = Item<object, object>;

/** Returns parts of a request with the ID of a contact. */
const withContact = (parts: RequestParts, { id }: IDataObject): RequestParts => ({
	...parts,
	params: { ...parts.params, ...contactParams(id) },
});

/** Adds advice to an error that says that nobody has a phone number or an ID. */
function explainNobody(error: ApiError, identifier: Identifier | undefined, input: IDataObject): ApiError {
	const isAboutContact = error.what.startsWith(describeMissing(error.details.subject ?? ''));
	if (!isAboutContact || !identifier) return error;
	if (identifier.kind === 'phone') return withCountryCodeAdvice(error, identifier.value);
	const mayBeOther = identifier.kind === 'id' && 'contact' in input;
	const field = mayBeOther ? findOtherId(input, identifier.value) : undefined;
	if (field === undefined) return error;
	const advice = `It is the ID in "${field}" of this item. Drag "contact" instead.`;
	return new ApiError(error.what, { ...error.details, advice });
}

/** The maximum number of contacts that one search by keyword returns. */
const PER_PAGE = 50;

/**
 * Finds the contact whose email or phone number is the same in another form, for a service that compares them letter by
 * letter and did not find it (difference 19). Takes one search by keyword.
 *
 * Returns undefined if there is none. Throws an `ApiError` if there are several.
 *
 * @param identifier the contact as the service was asked for it
 */
async function findInOtherForm(
	requester: Requester,
	identifier?: Identifier,
): Promise<IDataObject | undefined> {
	if (identifier?.kind !== 'email' && identifier?.kind !== 'phone') return undefined;
	const { kind, value } = identifier;
	const keyword = kind === 'email' ? value : comparablePhoneNumber(value);
	const query = { keyword, perPage: PER_PAGE };
	const hasNoSearch = (error: ApiError) => isUnsupported(error) || isRefusal(error);
	const list = requester.request(contactApi.listContacts, { query }).catch(recover(hasNoSearch, () => []));
	const key = identifierKey(identifier);
	const same = readRecords(await list).filter((row) => identifierKeys(row).includes(key));
	// The service knows this one, so it did not find something else.
	const asEntered = formatIdentifier(identifier);
	if (same.some((row) => findIdentifiers(row).map(formatIdentifier).includes(asEntered))) return undefined;
	if (same.length > 1) {
		const ids = same.map(({ id }) => String(id)).join(', ');
		const forms =
			kind === 'email' ? `email ${value} in upper or lower case` : `phone number ${value} with or without +`;
		throw rejected(
			`${same.length} contacts have the ${forms}, so n8n can't tell which one to use.`,
			`Select the contact by ID (IDs: ${ids}).`,
		);
	}
	return same[0];
}
