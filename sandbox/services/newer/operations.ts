/**
 * Where an operation of the newer and older services lives, and the scope that a token needs for
 * it.
 */
interface Route {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	path: `/${string}`;
	/** Status of success; 200 when left out. */
	status?: 201 | 202 | 204;
	scope:
		| 'contacts'
		| 'inbox'
		| 'automation'
		| 'broadcasts'
		| 'integrations'
		| 'media'
		| 'analytics';
	/** Whether only the newest builds have it. */
	newest?: true;
	/** Whether it knows no `Idempotency-Key`, although it is no GET. */
	keyless?: true;
}

const contact = '/contacts/{identifier}' as const;
const conversation = '/conversations/{conversationId}' as const;
const broadcast = '/broadcasts/{broadcastId}' as const;

/**
 * Every operation that a newer or an older service can have. An operation of the reference has the
 * same name as in the contract, so that journals and faults use the same names for all services.
 */
const routes = {
	getToken: { method: 'GET', path: '/token', scope: 'contacts' },
	getWorkspace: { method: 'GET', path: '/workspaces', scope: 'contacts' },

	listContacts: { method: 'GET', path: '/contacts', scope: 'contacts' },
	countContacts: { method: 'GET', path: '/contacts/count', scope: 'contacts' },
	listFilterFields: { method: 'GET', path: '/contacts/filter-fields', scope: 'contacts' },
	findContactsByCustomField: {
		method: 'GET',
		path: '/contacts/find-by-custom-field',
		scope: 'contacts',
	},
	searchContacts: { method: 'POST', path: '/contacts/search', scope: 'contacts' },
	createContact: { method: 'POST', path: '/contacts', scope: 'contacts' },
	getContact: { method: 'GET', path: contact, scope: 'contacts' },
	updateContact: { method: 'PUT', path: contact, status: 204, scope: 'contacts' },
	patchContact: { method: 'PATCH', path: contact, status: 204, scope: 'contacts' },
	deleteContact: { method: 'DELETE', path: contact, status: 204, scope: 'contacts' },
	upsertContact: { method: 'POST', path: `${contact}/upsert`, scope: 'contacts' },
	blockContact: { method: 'POST', path: `${contact}/block`, status: 204, scope: 'contacts' },
	unblockContact: { method: 'POST', path: `${contact}/unblock`, status: 204, scope: 'contacts' },

	listNotes: { method: 'GET', path: `${contact}/notes`, scope: 'contacts' },
	addNote: { method: 'POST', path: `${contact}/notes`, scope: 'contacts' },

	listContactTags: { method: 'GET', path: `${contact}/tags`, scope: 'contacts' },
	addContactTags: { method: 'POST', path: `${contact}/tags`, status: 204, scope: 'contacts' },
	removeContactTags: { method: 'DELETE', path: `${contact}/tags`, status: 204, scope: 'contacts' },
	replaceContactTags: { method: 'PUT', path: `${contact}/tags`, status: 204, scope: 'contacts' },
	addContactTagsByName: {
		method: 'POST',
		path: `${contact}/tags/by-name`,
		status: 204,
		scope: 'contacts',
	},

	addContactSequences: {
		method: 'POST',
		path: `${contact}/sequences`,
		status: 204,
		scope: 'contacts',
	},
	replaceContactSequences: {
		method: 'PUT',
		path: `${contact}/sequences`,
		status: 204,
		scope: 'contacts',
	},
	removeContactSequences: {
		method: 'DELETE',
		path: `${contact}/sequences`,
		status: 204,
		scope: 'contacts',
	},

	bulkAddTags: { method: 'POST', path: '/contacts/bulk/tags', scope: 'contacts' },
	bulkAddSequences: { method: 'POST', path: '/contacts/bulk/sequences', scope: 'contacts' },
	bulkRemoveTags: {
		method: 'POST',
		path: '/contacts/bulk/tags/remove',
		scope: 'contacts',
		newest: true,
	},
	bulkRemoveSequences: {
		method: 'POST',
		path: '/contacts/bulk/sequences/remove',
		scope: 'contacts',
		newest: true,
	},

	getContactCustomFields: { method: 'GET', path: `${contact}/custom-fields`, scope: 'contacts' },
	setContactCustomFields: {
		method: 'PATCH',
		path: `${contact}/custom-fields`,
		status: 204,
		scope: 'contacts',
	},
	putContactCustomFields: {
		method: 'PUT',
		path: `${contact}/custom-fields`,
		status: 204,
		scope: 'contacts',
	},
	getContactCustomField: {
		method: 'GET',
		path: `${contact}/custom-fields/{customFieldId}`,
		scope: 'contacts',
	},
	setContactCustomField: {
		method: 'PUT',
		path: `${contact}/custom-fields/{customFieldId}`,
		status: 204,
		scope: 'contacts',
	},
	postContactCustomField: {
		method: 'POST',
		path: `${contact}/custom-fields/{customFieldId}`,
		scope: 'contacts',
	},
	clearContactCustomField: {
		method: 'DELETE',
		path: `${contact}/custom-fields/{customFieldId}`,
		status: 204,
		scope: 'contacts',
	},

	sendMessage: { method: 'POST', path: `${contact}/messages`, status: 204, scope: 'inbox' },
	listContactMessages: { method: 'GET', path: `${contact}/messages`, scope: 'inbox' },
	getContactMessage: { method: 'GET', path: `${contact}/messages/{messageId}`, scope: 'inbox' },
	triggerFlow: { method: 'POST', path: `${contact}/flows`, status: 204, scope: 'automation' },
	triggerAutoReply: {
		method: 'POST',
		path: `${contact}/auto-replies`,
		status: 204,
		scope: 'automation',
	},

	listConversations: { method: 'GET', path: '/conversations', scope: 'inbox' },
	getConversation: { method: 'GET', path: conversation, scope: 'inbox' },
	listConversationMessages: { method: 'GET', path: `${conversation}/messages`, scope: 'inbox' },
	replyToMessage: { method: 'POST', path: `${conversation}/messages`, status: 201, scope: 'inbox' },
	assignConversation: { method: 'POST', path: `${conversation}/assign`, scope: 'inbox' },
	archiveConversation: { method: 'POST', path: `${conversation}/archive`, scope: 'inbox' },
	unarchiveConversation: { method: 'POST', path: `${conversation}/unarchive`, scope: 'inbox' },
	disableBot: { method: 'POST', path: `${conversation}/disable-bot`, scope: 'inbox' },
	enableBot: { method: 'POST', path: `${conversation}/enable-bot`, scope: 'inbox' },
	readConversation: { method: 'POST', path: `${conversation}/read`, scope: 'inbox' },
	unreadConversation: { method: 'POST', path: `${conversation}/unread`, scope: 'inbox' },
	followConversation: { method: 'POST', path: `${conversation}/follow`, scope: 'inbox' },
	unfollowConversation: { method: 'POST', path: `${conversation}/unfollow`, scope: 'inbox' },

	listTemplateMessages: { method: 'GET', path: '/template-messages', scope: 'broadcasts' },
	listWhatsappTemplates: {
		method: 'GET',
		path: '/whatsapp/templates',
		scope: 'broadcasts',
		newest: true,
	},
	getWhatsappTemplate: {
		method: 'GET',
		path: '/whatsapp/templates/{id}',
		scope: 'broadcasts',
		newest: true,
	},
	sendWhatsappTemplate: {
		method: 'POST',
		path: `${conversation}/whatsapp-template`,
		status: 202,
		scope: 'inbox',
		newest: true,
	},

	createMediaUpload: {
		method: 'POST',
		path: '/media-library/files/upload-url',
		status: 201,
		scope: 'media',
	},
	createMediaFile: { method: 'POST', path: '/media-library/files', status: 201, scope: 'media' },

	createImportUpload: {
		method: 'POST',
		path: '/contacts/imports/upload-url',
		status: 201,
		scope: 'contacts',
	},
	getImportHeaders: {
		method: 'GET',
		path: '/contacts/imports/files/{fileId}/headers',
		scope: 'contacts',
	},
	importContacts: { method: 'POST', path: '/contacts/import', status: 201, scope: 'contacts' },
	listImports: { method: 'GET', path: '/contacts/imports', scope: 'contacts' },
	getImport: { method: 'GET', path: '/contacts/imports/{id}', scope: 'contacts' },

	listTags: { method: 'GET', path: '/tags', scope: 'contacts' },
	createTag: { method: 'POST', path: '/tags', status: 201, scope: 'contacts' },
	getTag: { method: 'GET', path: '/tags/{id}', scope: 'contacts' },
	updateTag: { method: 'PUT', path: '/tags/{id}', scope: 'contacts' },
	deleteTag: { method: 'DELETE', path: '/tags/{id}', status: 204, scope: 'contacts' },

	listCustomFields: { method: 'GET', path: '/custom-fields', scope: 'contacts' },
	createCustomField: { method: 'POST', path: '/custom-fields', status: 201, scope: 'contacts' },
	getCustomField: { method: 'GET', path: '/custom-fields/{id}', scope: 'contacts' },
	updateCustomField: { method: 'PUT', path: '/custom-fields/{id}', scope: 'contacts' },
	deleteCustomField: {
		method: 'DELETE',
		path: '/custom-fields/{id}',
		status: 204,
		scope: 'contacts',
	},

	listInboxes: { method: 'GET', path: '/inboxes', scope: 'inbox' },
	listChannels: { method: 'GET', path: '/channels', scope: 'inbox' },
	listFlows: { method: 'GET', path: '/flows', scope: 'automation' },
	listSequences: { method: 'GET', path: '/sequences', scope: 'broadcasts' },
	getSequence: { method: 'GET', path: '/sequences/{id}', scope: 'broadcasts' },
	listBroadcasts: { method: 'GET', path: '/broadcasts', scope: 'broadcasts' },
	getBroadcast: { method: 'GET', path: '/broadcasts/{idOrName}', scope: 'broadcasts' },
	previewAudience: {
		method: 'POST',
		path: '/broadcasts/audience/preview',
		scope: 'broadcasts',
		newest: true,
		keyless: true,
	},
	createBroadcast: {
		method: 'POST',
		path: '/broadcasts',
		status: 201,
		scope: 'broadcasts',
		newest: true,
	},
	renameBroadcast: { method: 'PUT', path: broadcast, scope: 'broadcasts', newest: true },
	scheduleBroadcast: {
		method: 'POST',
		path: `${broadcast}/schedule`,
		scope: 'broadcasts',
		newest: true,
	},
	moveBroadcastToDraft: {
		method: 'POST',
		path: `${broadcast}/move-to-draft`,
		scope: 'broadcasts',
		newest: true,
	},
	stopBroadcast: { method: 'POST', path: `${broadcast}/stop`, scope: 'broadcasts', newest: true },
	deleteBroadcast: {
		method: 'DELETE',
		path: broadcast,
		status: 204,
		scope: 'broadcasts',
		newest: true,
	},
	listBroadcastContacts: {
		method: 'GET',
		path: `${broadcast}/contacts`,
		scope: 'broadcasts',
		newest: true,
	},
	listMembers: { method: 'GET', path: '/members', scope: 'inbox' },
	getMember: { method: 'GET', path: '/members/{memberId}', scope: 'inbox' },

	listWebhooks: { method: 'GET', path: '/webhooks', scope: 'integrations' },
	createWebhook: { method: 'POST', path: '/webhooks', status: 201, scope: 'integrations' },
	getWebhook: { method: 'GET', path: '/webhooks/{webhookId}', scope: 'integrations', newest: true },
	deleteWebhook: {
		method: 'DELETE',
		path: '/webhooks/{webhookId}',
		status: 204,
		scope: 'integrations',
	},
	listExternalWebhooks: { method: 'GET', path: '/external-webhooks', scope: 'integrations' },
	createExternalWebhook: {
		method: 'POST',
		path: '/external-webhooks',
		status: 201,
		scope: 'integrations',
	},
	deleteExternalWebhook: {
		method: 'DELETE',
		path: '/external-webhooks/{webhookId}',
		status: 204,
		scope: 'integrations',
	},

	listTeams: { method: 'GET', path: '/teams', scope: 'inbox' },

	listErrorLogs: { method: 'GET', path: '/error-logs', scope: 'analytics' },
} as const satisfies Record<string, Route>;

/** Name of an operation of the newer or the older services. */
export type ServiceOperation = keyof typeof routes;

export const serviceOperations = Object.keys(routes) as ServiceOperation[];

/** Route of an operation, with its path as it comes over the wire. */
export function routeOf(name: ServiceOperation) {
	const route: Route = routes[name];
	return { ...route, path: `/api/v1${route.path}` as const, status: route.status ?? 200 };
}
