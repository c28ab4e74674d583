/** All limits of the API (parts 2, 4 and 8). "On services" marks what the reference lacks. */
export const limits = {
	/** Requests per minute for one workspace, over all endpoints. */
	requestsPerMinute: 10_000,
	/** Tags in one request. */
	tagIds: { min: 1, max: 100 },
	/** Characters of one message. */
	text: { min: 1, max: 1000 },
	/** Entries of `files` in one message, if it has `files`. */
	files: { min: 1 },
	/** Bytes of a file that is uploaded to a message; on services. */
	upload: { max: 5_000_000 },
	/** Custom field columns in one import. */
	fieldMapping: { max: 10 },
	/** Characters of a contact's first or last name. */
	personName: { max: 100 },
	/** Characters of a contact's ID on the platform of a channel; on services. */
	externalId: { max: 255 },
	/** Custom field values in one request; on services. */
	customFieldValues: { max: 20 },
	/** Characters of a column name in an import file. */
	columnName: { max: 255 },
	/** Characters of the name of an uploaded file; on services. */
	fileName: { max: 255 },
	/** Characters of a value in a filter of contacts; on services. */
	filterValue: { max: 255 },
	/** Contacts that a look-up by a custom field's value returns; on services. */
	foundContacts: { max: 100 },
	/** Bytes of an import file; on services. */
	importFile: { max: 20_000_000 },
	/** Characters of a cell of an import file that services read. */
	importCell: { max: 1000 },
	/** Characters of a note about a contact; on services. */
	note: { min: 1, max: 1000 },
	/** Sequences in one request; on services. */
	sequenceIds: { min: 1, max: 100 },
	/** Contacts, tags and sequences in one request for many contacts; on services. */
	bulkContacts: { min: 1, max: 1000 },
	bulkTags: { min: 1, max: 20 },
	bulkSequences: { min: 1, max: 20 },
	/** Messages of a broadcast in a minute, and how many if nobody says; on services. */
	messagesPerMinute: { min: 1, max: 1000, usual: 500 },
	/** Characters of the name of a broadcast; on services. */
	broadcastName: { min: 1, max: 255 },
	/** Hours for which a contact who wrote is active for broadcasts; on services. */
	activeHours: 24,
	/** Characters of the header of a template when it is filled in; on WhatsApp. */
	templateHeader: { max: 60 },
	/** Spaces in a row in a value for the text of a template; on WhatsApp. */
	spacesInTemplateValue: { max: 4 },
	/** Degrees of a location, in both directions. */
	latitude: { max: 90 },
	longitude: { max: 180 },
	/** Hours after the contact's last message for which a channel delivers messages; on services. */
	answerHours: { whatsapp: 24, messenger: 168, instagram: 168 },
	/** Hours ago that a filter can name, one year: more is the number of a day in a spreadsheet. */
	hoursAgo: { max: 8760 },
	/** Messages per page of a conversation; on services. */
	messagesPerPage: { max: 50 },
	/** Contacts that one search by keyword returns; on services. */
	searchedContacts: { max: 50 },
	/** Hours after which the pause of a bot ends by itself; on services. */
	botPauseHours: 24,
	/** Entries of the error log per page; on services. */
	errorLogPerPage: { max: 50 },
	/** Webhooks per page; on services. */
	webhooksPerPage: { max: 50 },
	/** Characters of a webhook's address; on services. */
	webhookUrl: { max: 1000 },
	/** Webhooks of one workspace; on services. */
	webhooks: { max: 100 },
	/** Addresses of one workspace that steps of flows call; on services. */
	externalWebhooks: { max: 50 },
	/** Characters of the event that a step of a flow names; on services. */
	flowEvent: { max: 100 },
	/** Characters of the name of a tag or custom field. */
	name: { min: 1, max: 255 },
	/** Page number, and records per page. */
	page: { min: 1, max: Number.MAX_SAFE_INTEGER },
	/** Records per page of a list of contacts, if the request does not say. */
	defaultPerPage: 20,
} as const;

/** Stands for all channels; no channel has this type. */
export const anyChannel = 'omnichannel';

/** The fixed lists of values that the API accepts, or that the reference names. */
export const choices = {
	answeredBy: ['anyone', 'bot', 'person'],
	genders: ['male', 'female', 'unknown'],
	customFieldTypes: [
		'shortText',
		'longText',
		'number',
		'date',
		'datetime',
		'boolean',
		'email',
		'phoneNumber',
	],
	/** Types of channels for filters and imports of contacts. */
	contactChannels: [
		anyChannel,
		'webchat',
		'messenger',
		'whatsapp',
		'zalo',
		'smtp',
		'telegram',
		'instagram',
		'tiktok',
	],
	/** The reference names three; on services, there are also the last three. */
	broadcastStatuses: ['scheduled', 'sending', 'sent', 'draft', 'cancelled', 'failed'],
	/** The statuses that the reference names; services may have more (part 3). */
	channelStatuses: ['connected', 'disconnected'],
	sortOrders: ['asc', 'desc'],
	customFieldOperations: ['set', 'append', 'prepend', 'increase', 'decrease'],
} as const;

/** What patterns mean, in the user's words. */
export const rules = {
	numericId: 'an ID made of digits only',
	phoneNumber: '10 to 20 digits, with an optional leading +',
	countryCode: '+ followed by 1 to 4 digits',
} as const;

export const patterns = {
	numericId: /^\d+$/,
	/**
	 * What mail servers accept, international addresses too; the API only asks for a valid format.
	 */
	email:
		/^(?!\.)(?!.*\.[.@])[^\s@"(),:;<>[\]\\]{1,64}@([\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+(xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)$/iu,
	/**
	 * An email address that finds a contact. The API is stricter with new ones (part 4.1), but a
	 * workspace may have others from elsewhere.
	 */
	emailIdentifier: /^[^\s@]+@[^\s@]+$/,
	phoneNumber: /^\+?\d{10,20}$/,
	countryCode: /^\+\d{1,4}$/,
	identifier: /^(id|email|phone):([\s\S]+)$/,
} as const;
