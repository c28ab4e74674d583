import { broadcastOperations, listBroadcasts } from './broadcasts/operations';
import { bulkOperations, newestBulkOperations } from './bulk';
import { getWorkspace, newerCatalogue } from './catalogue';
import { contactOperations, patchContact } from './contacts';
import {
	contactCustomFieldOperations,
	newerCustomFieldOperations,
	putContactCustomFields,
} from './contactCustomFields';
import { newerContactLists } from './contactList';
import {
	contactSequenceOperations,
	contactTagNameOperations,
	contactTagOperations,
} from './contactTags';
import { conversationOperations } from './conversations/operations';
import { errorLogOperations } from './errorLog';
import { router } from './router';
import { newerImports } from './imports';
import { mediaOperations } from './media';
import { newerMessageOperations } from './messages';
import { noteOperations } from './notes';
import { listTemplateMessages, newestTemplateOperations } from './templates/operations';
import { getWebhook, webhookOperations } from './webhooks/operations';
import { customFieldOperations, newerNameLists, tagOperations } from './tags';

/** Services of about autumn 2026. Some builds still have operations that were left out since. */
export const newer = router(
	'newer',
	{
		...newerCatalogue,
		listBroadcasts,
		...newerContactLists,
		...contactOperations,
		patchContact,
		...contactTagOperations,
		...contactTagNameOperations,
		...contactSequenceOperations,
		...bulkOperations,
		...noteOperations,
		...contactCustomFieldOperations,
		...newerCustomFieldOperations,
		...newerMessageOperations,
		...conversationOperations,
		...webhookOperations,
		...errorLogOperations,
		...newerImports,
		...tagOperations,
		...customFieldOperations,
		...newerNameLists,
		...mediaOperations,
		listTemplateMessages,
	},
	{
		getWorkspace,
		getWebhook,
		putContactCustomFields,
		...newestBulkOperations,
		...broadcastOperations,
		...newestTemplateOperations,
	},
);
