/**
 * Every number and closed list of values of the API, stated once: those of the reference (parts 2, 4 and 8), and those that
 * services are known to keep to where it is silent.
 */
export const limits = {
	/** Requests per minute for one workspace, whatever the endpoint. */
	requestsPerMinute: 10_000,
	/** Tags in one add or remove call. */
	tagIds: { min: 1, max: 100 },
	/** Characters in one message. */
	text: { min: 1, max: 1000 },
	/** Files in one message, when files are given at all. */
	files: { min: 1 },
	/** Bytes of a file that is uploaded; as services take it, the reference has no uploads. */
	upload: { max: 5_000_000 },
	/** Custom field columns in one import. */
	fieldMapping: { max: 10 },
	/** Characters of a contact's first or last name. */
	personName: { max: 100 },
	/** Characters of a contact's ID on the platform of a channel; as services take it, the reference has no such field. */
	externalId: { max: 255 },
	/** Custom field values that services take in one request; the reference does not show the request. */
	customFieldValues: { max: 20 },
	/** Characters of a column name in an import file. */
	columnName: { max: 255 },
	/** Characters of the name of a file that is uploaded, as services take it. */
	fileName: { max: 255 },
	/** Characters of a value in a filter of contacts, as services take it. */
	filterValue: { max: 255 },
	/** Contacts that services find by the value of a custom field. */
	foundContacts: { max: 100 },
	/** Bytes of an import file, as services take it; the reference does not show how a file is uploaded. */
	importFile: { max: 20_000_000 },
	/** Characters that services read of a cell of such a file. */
	importCell: { max: 1000 },
	/** Characters of the name of a tag or custom field. */
	name: { min: 1, max: 255 },
	/** Page number and records per page of every list. */
	page: { min: 1, max: Number.MAX_SAFE_INTEGER },
	/** Records per page when a list of contacts is not told how many. */
	defaultPerPage: 20,
} as const;

export const genders = ['male', 'female', 'unknown'] as const;

export const customFieldTypes = [
	'shortText',
	'longText',
	'number',
	'date',
	'datetime',
	'boolean',
	'email',
	'phoneNumber',
] as const;

/** Stands for all channels, and is none itself. */
export const anyChannel = 'omnichannel';

/** Channels by which contacts can be filtered and imported. */
export const contactChannels = [
	anyChannel,
	'webchat',
	'messenger',
	'whatsapp',
	'zalo',
	'smtp',
	'telegram',
	'instagram',
	'tiktok',
] as const;

export const broadcastStatuses = ['scheduled', 'sending', 'sent'] as const;

/** Those that the reference names; a service may have more (part 3). */
export const channelStatuses = ['connected', 'disconnected'] as const;

export const scheduleTypes = ['now', 'future'] as const;

export const sortOrders = ['asc', 'desc'] as const;

export const customFieldOperations = ['set', 'append', 'prepend', 'increase', 'decrease'] as const;

export const memberRoles = ['owner', 'agent'] as const;

/** What patterns mean, in the user's words. */
export const rules = {
	numericId: 'an ID made of digits only',
	phoneNumber: '10 to 20 digits, with an optional leading +',
	countryCode: '+ followed by 1 to 4 digits',
} as const;

export const patterns = {
	numericId: /^\d+$/,
	/** As mail servers take them, international ones too; the API only asks for a valid format. */
	email:
		/^(?!\.)(?!.*\.[.@])[^\s@"(),:;<>[\]\\]{1,64}@([\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+(xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)$/iu,
	phoneNumber: /^\+?\d{10,20}$/,
	countryCode: /^\+\d{1,4}$/,
	identifier: /^(id|email|phone):[\s\S]+$/,
} as const;
