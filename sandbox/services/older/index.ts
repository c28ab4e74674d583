import { listTeams, olderCatalogue } from '../newer/catalogue';
import { contactCustomFieldOperations, putContactCustomFields } from '../newer/contactCustomFields';
import { olderContactLists } from '../newer/contactList';
import { contactOperations } from '../newer/contacts';
import { contactTagOperations } from '../newer/contactTags';
import { contactMessages } from '../newer/conversations/operations';
import { router } from '../newer/router';
import { olderImport } from '../newer/imports';
import { olderMessageOperations } from '../newer/messages';
import { listTemplateMessages } from '../newer/templates/operations';
import { olderWebhooks } from '../newer/webhooks/operations';
import { customFieldOperations, olderNameLists, tagOperations } from '../newer/tags';

/** Services of about mid-2026. */
export const older = router(
	'older',
	{
		...olderCatalogue,
		...olderContactLists,
		...contactOperations,
		...contactTagOperations,
		...contactCustomFieldOperations,
		putContactCustomFields,
		...olderMessageOperations,
		listContactMessages: contactMessages,
		listTemplateMessages,
		listWebhooks: olderWebhooks,
		importContacts: olderImport,
		...tagOperations,
		...customFieldOperations,
		...olderNameLists,
	},
	{ listTeams },
);
